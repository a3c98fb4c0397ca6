-- Deletes deprecated permissions, also from their holders and from the sets that contain them. Returns their names.
WITH gone AS (
  DELETE FROM permissions WHERE (doc->>'deprecated')::boolean RETURNING doc->>'permissionName' AS name
), names AS (
  SELECT coalesce(array_agg(name), '{}') AS names FROM gone
), holders AS (
  UPDATE permissions_users u SET doc = jsonb_set(u.doc, '{permissions}', (u.doc->'permissions') - names.names)
  FROM names WHERE jsonb_exists_any(u.doc->'permissions', names.names)
), parents AS (
  UPDATE permissions p SET doc = jsonb_set(p.doc, '{subPermissions}', (p.doc->'subPermissions') - names.names)
  FROM names WHERE jsonb_exists_any(p.doc->'subPermissions', names.names)
    AND NOT coalesce((p.doc->>'deprecated')::boolean, false)
)
SELECT names FROM names
