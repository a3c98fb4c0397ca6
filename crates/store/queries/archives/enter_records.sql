-- Writes records outside trees of an import, whose ids are reserved. $1 kinds, $2 ids, $3 repositories, $4 records, $5 whether
-- they are published, $6 user name, $7 time.
WITH added AS (
  INSERT INTO archival_record (kind, id, repository, doc, publish, created_by, last_modified_by, create_time, user_mtime,
                               system_mtime)
  SELECT a.kind, a.id, a.repository, archival_managed(a.doc, a.repository), a.publish, $6, $6, $7, $7, $7
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::boolean[]) AS a (kind, id, repository, doc, publish)
  RETURNING kind, id, doc)
INSERT INTO archival_key (scope, value, kind, id)
SELECT k->>'scope', k->>'value', a.kind, a.id FROM added a, jsonb_array_elements(archival_management_key(a.doc)) k
