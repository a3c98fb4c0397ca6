-- What a user may do: the names granted, and every name inside them. `UNION` drops names met before, so a
-- permission set that contains itself ends the walk. Parameter: user id.
WITH RECURSIVE held (name) AS (
  SELECT jsonb_array_elements_text(u.doc->'permissions') FROM permissions_users u WHERE u.userid = $1
  UNION
  SELECT jsonb_array_elements_text(p.doc->'subPermissions')
  FROM held JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = held.name COLLATE "C"
)
SELECT coalesce(u.doc->>'username', ''), coalesce((u.doc->>'active')::boolean, false),
       ARRAY(SELECT name FROM held)
FROM users u WHERE u.id = $1
