-- What a user may do: the names granted, and every name inside them. Parameter: user id.
-- Each round unfolds the names the last one found (`fresh`) and drops those met before, so a permission set that
-- contains itself ends the walk. `UNION` would drop them too, but PostgreSQL expects millions of names from it and
-- spends a third of a second on making room for them.
WITH RECURSIVE held (names, fresh) AS (
  SELECT granted.names, granted.names
  FROM (SELECT ARRAY(
    SELECT DISTINCT jsonb_array_elements_text(u.doc->'permissions') FROM permissions_users u WHERE u.userid = $1
  )) AS granted (names)
  UNION ALL
  SELECT held.names || inside.names, inside.names
  FROM held CROSS JOIN LATERAL (SELECT ARRAY(
    SELECT jsonb_array_elements_text(p.doc->'subPermissions')
    FROM unnest(held.fresh) AS set (name)
    JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = set.name COLLATE "C"
    EXCEPT SELECT unnest(held.names)
  )) AS inside (names)
  WHERE held.fresh <> '{}'
)
SELECT coalesce(u.doc->>'username', ''), coalesce((u.doc->>'active')::boolean, false),
       (SELECT names FROM held ORDER BY cardinality(names) DESC LIMIT 1)
FROM users u WHERE u.id = $1
