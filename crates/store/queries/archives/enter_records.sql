-- Writes records of an import, whose ids are reserved. $1 kinds, $2 ids, $3 repositories, $4 records, $5 types of the
-- records at the top, $6 their ids, $7 ids of the nodes above, $8 ranks that places are counted from, $9 places among new
-- siblings from 1, $10 user name, $11 time.
WITH added AS (
  INSERT INTO archival_record (kind, id, repository, doc, publish, created_by, last_modified_by, create_time, user_mtime,
                               system_mtime, root_kind, root, parent, rank)
  SELECT a.kind, a.id, a.repository, archival_managed(a.doc, a.repository),
         coalesce((a.doc->>'publish')::boolean, false), $10, $10, $11, $11, $11,
         a.root_kind, a.root, a.parent, a.base + archival_step() * a.slot
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
              $9::bigint[]) AS a (kind, id, repository, doc, root_kind, root, parent, base, slot)
  RETURNING kind, id, doc)
INSERT INTO archival_key (scope, value, kind, id)
SELECT k->>'scope', k->>'value', a.kind, a.id FROM added a, jsonb_array_elements(archival_management_key(a.doc)) k
-- Components have none.
WHERE a.kind IN ('accession', 'digital_object', 'resource')
