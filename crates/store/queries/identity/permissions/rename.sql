-- Gives a module's permissions that replace others of it to those who hold the others, and puts them into the sets
-- that contain the others; only those new to the module. Parameter: an array of `{product, old, new}`.
WITH renamed AS (
  SELECT DISTINCT r.old, r.new
  FROM jsonb_to_recordset($1::jsonb) AS r (product text, old text, new text)
  JOIN permissions o ON carrel.exact_key(o.doc->>'permissionName') COLLATE "C" = r.old
    AND o.doc->>'moduleName' = r.product
  WHERE NOT EXISTS (
    SELECT FROM permissions n
    WHERE carrel.exact_key(n.doc->>'permissionName') COLLATE "C" = r.new AND n.doc->>'moduleName' = r.product)
), holders AS (
  UPDATE permissions_users u
  SET doc = jsonb_set(u.doc, '{permissions}', (u.doc->'permissions') || more.names)
  FROM (
    SELECT h.id, jsonb_agg(DISTINCT r.new) AS names
    FROM renamed r JOIN permissions_users h ON (h.doc->'permissions') @> to_jsonb(r.old)
      AND NOT (h.doc->'permissions') @> to_jsonb(r.new)
    GROUP BY h.id
  ) AS more
  WHERE u.id = more.id
)
UPDATE permissions p
SET doc = jsonb_set(p.doc, '{subPermissions}', (p.doc->'subPermissions') || more.names)
FROM (
  SELECT s.id, jsonb_agg(DISTINCT r.new) AS names
  FROM renamed r JOIN permissions s ON (s.doc->'subPermissions') @> to_jsonb(r.old)
    AND NOT (s.doc->'subPermissions') @> to_jsonb(r.new)
  GROUP BY s.id
) AS more
WHERE p.id = more.id
