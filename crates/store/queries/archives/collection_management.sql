-- How the processing of a record is managed, as a GET returns it. $1 its number, $2 repository, $3 whether suppressed records are
-- shown.
SELECT (r.doc->'collection_management') || jsonb_build_object(
  'jsonmodel_type', 'collection_management', 'lock_version', r.lock_version, 'created_by', r.created_by,
  'last_modified_by', r.last_modified_by, 'create_time', archival_time(r.create_time),
  'user_mtime', archival_time(r.user_mtime), 'system_mtime', archival_time(r.system_mtime),
  'repository', jsonb_build_object('ref', '/repositories/' || r.repository),
  'parent', jsonb_build_object('ref', archival_uri(r.kind, r.repository, r.id))) AS record
FROM archival_key k JOIN archival_record r ON r.kind = k.kind AND r.id = k.id
WHERE k.scope = 'collection_management' AND k.value = $1::bigint::text AND r.repository = $2
  AND ($3::boolean OR NOT r.suppressed)
