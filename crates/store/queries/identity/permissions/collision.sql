-- The first permission whose name a module may not define, because it is a user's or another module's. A module may
-- take over dummies, deprecated permissions and those of modules that it replaces; one that has permissions already may
-- take over any module's. Parameters: definitions as a JSON array, the products that each product replaces as
-- `{"new": ["old"]}`. Returns the name and the permission that has it.
WITH given AS (
  SELECT d.value->>'permissionName' AS name, d.value->>'moduleName' AS product, d.value AS doc, d.ordinality AS place
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS d
), first AS (
  SELECT g.* FROM given g
  WHERE NOT EXISTS (SELECT FROM permissions own WHERE own.doc->>'moduleName' = g.product)
), taken AS (
  SELECT g.name, g.place, p.doc
  FROM given g JOIN permissions p ON carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = g.name
  WHERE (p.doc->>'mutable')::boolean
  UNION ALL
  SELECT f.name, f.place, p.doc
  FROM first f JOIN permissions p ON carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = f.name
  WHERE p.doc->>'moduleName' <> f.product AND NOT coalesce((p.doc->>'deprecated')::boolean, false)
    AND NOT coalesce(jsonb_exists($2::jsonb->f.product, p.doc->>'moduleName'), false)
  UNION ALL
  SELECT f.name, f.place, g.doc
  FROM first f JOIN given g ON g.name = f.name AND g.place < f.place
  WHERE g.product <> f.product AND NOT coalesce(jsonb_exists($2::jsonb->f.product, g.product), false)
)
SELECT name, doc FROM taken ORDER BY place LIMIT 1
