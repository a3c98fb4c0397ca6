-- Every name inside the given permissions, the given ones included. Parameter: names.
WITH RECURSIVE inside (name) AS (
  SELECT unnest($1::text[])
  UNION
  SELECT jsonb_array_elements_text(p.doc->'subPermissions')
  FROM inside JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = inside.name COLLATE "C"
)
SELECT name FROM inside
