-- Gives a user credentials and all permissions, by granting those that no other contains. Parameters: user id, password
-- hash, whether to include okapi.*, metadata of a new record.
WITH credentials AS (
  INSERT INTO credential (user_id, hash) VALUES ($1, $2)
), top AS (
  SELECT coalesce(jsonb_agg(p.doc->'permissionName' ORDER BY p.seq), '[]') AS names
  FROM permissions p
  WHERE permission_parents(p.doc->>'permissionName') = '[]'
    AND NOT coalesce((p.doc->>'dummy')::boolean, false)
    AND ($3 OR NOT (p.doc->>'permissionName' LIKE 'okapi.%' OR p.doc->>'permissionName' = 'perms.users.assign.okapi'))
)
INSERT INTO permissions_users (id, doc)
SELECT n.id, jsonb_build_object('id', n.id, 'userId', $1, 'permissions', top.names, 'metadata', $4::jsonb)
FROM top, (SELECT gen_random_uuid() AS id) AS n
