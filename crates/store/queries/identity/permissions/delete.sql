-- Deletes a permission, also from its holders and from the sets that contain it. Parameter: id.
WITH gone AS (
  DELETE FROM permissions WHERE id = $1 RETURNING doc->>'permissionName' AS name
), holders AS (
  UPDATE permissions_users u SET doc = jsonb_set(u.doc, '{permissions}', (u.doc->'permissions') - gone.name)
  FROM gone WHERE (u.doc->'permissions') @> to_jsonb(gone.name)
), parents AS (
  UPDATE permissions p SET doc = jsonb_set(p.doc, '{subPermissions}', (p.doc->'subPermissions') - gone.name)
  FROM gone WHERE (p.doc->'subPermissions') @> to_jsonb(gone.name) AND p.id <> $1
)
SELECT count(*) FROM gone
