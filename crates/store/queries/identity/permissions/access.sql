-- What a user may do: the names granted, every name inside them, and those that replace one of them; and of which
-- generation the user's tokens have to be. Parameters: user id, replaced names as `{"old": ["new"]}`.
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
    (SELECT jsonb_array_elements_text(p.doc->'subPermissions')
     FROM unnest(held.fresh) AS set (name)
     JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = set.name COLLATE "C"
     UNION
     SELECT jsonb_array_elements_text($2::jsonb->old.name) FROM unnest(held.fresh) AS old (name))
    EXCEPT SELECT unnest(held.names)
  )) AS inside (names)
  WHERE held.fresh <> '{}'
)
SELECT coalesce(u.doc->>'username', ''), coalesce((u.doc->>'active')::boolean, false),
       (SELECT names FROM held ORDER BY cardinality(names) DESC LIMIT 1), coalesce(t.generation, 0)
FROM users u LEFT JOIN token_generation t ON t.user_id = u.id
WHERE u.id = $1
