-- For each of the given permissions the names inside it, itself left out. Parameter: names.
WITH RECURSIVE inside (root, name) AS (
  SELECT n, n FROM unnest($1::text[]) AS n
  UNION
  SELECT inside.root, sub
  FROM inside
  JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = inside.name COLLATE "C"
  CROSS JOIN LATERAL jsonb_array_elements_text(p.doc->'subPermissions') AS sub
)
SELECT root, array_agg(name ORDER BY name) FROM inside WHERE name <> root GROUP BY root
