-- What a user may do: the granted names, all names inside them and those that replace one of them; and the required
-- generation of the user's tokens. Parameters: user id, replaced names as `{"old": ["new"]}`. Each round expands the
-- names found in the last one (`fresh`) and drops those already seen, so a set that contains itself ends the recursion.
-- `UNION` would drop them too, but PostgreSQL expects millions of names from it and takes a third of a second to
-- allocate space for them.
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
     JOIN permissions p ON carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = set.name
     UNION
     SELECT jsonb_array_elements_text($2::jsonb->old.name) FROM unnest(held.fresh) AS old (name))
    EXCEPT SELECT unnest(held.names)
  )) AS inside (names)
  WHERE held.fresh <> '{}'
)
SELECT coalesce(u.doc->>'username', '') AS username, coalesce((u.doc->>'active')::boolean, false) AS active,
       (SELECT names FROM held ORDER BY cardinality(names) DESC LIMIT 1) AS permissions,
       coalesce(t.generation, 0) AS generation
FROM users u LEFT JOIN token_generation t ON t.user_id = u.id
WHERE u.id = $1
