-- Writes nodes of trees of an import, whose ids are reserved. $1 kinds, $2 ids, $3 repositories, $4 records, $5 whether they
-- are published, $6 types of the records at the top, $7 their ids, $8 ids of the nodes above, $9 ranks that places are counted
-- from, $10 places among new siblings from 1, $11 user name, $12 time.
INSERT INTO archival_record (kind, id, repository, doc, publish, created_by, last_modified_by, create_time, user_mtime,
                             system_mtime, root_kind, root, parent, rank)
SELECT a.kind, a.id, a.repository, a.doc, a.publish, $11, $11, $12, $12, $12, a.root_kind, a.root, a.parent,
       a.base + archival_step() * a.slot
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::boolean[], $6::text[], $7::bigint[], $8::bigint[],
            $9::bigint[], $10::bigint[])
  AS a (kind, id, repository, doc, publish, root_kind, root, parent, base, slot)
