-- Records of some types as they are stored, with when and by whom they were changed. $1 kinds, $2 repository or null, $3 whether
-- suppressed ones are among them.
SELECT r.kind, r.id, r.doc || jsonb_build_object(
  'created_by', r.created_by, 'last_modified_by', r.last_modified_by, 'create_time', archival_time(r.create_time),
  'user_mtime', archival_time(r.user_mtime)) AS doc
FROM archival_record r
WHERE r.kind = ANY ($1::text[]) AND r.repository IS NOT DISTINCT FROM $2::bigint AND ($3 OR NOT r.suppressed) ORDER BY r.kind, r.id
