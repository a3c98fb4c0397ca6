-- Keeps a job that has begun to index all authorities again, with about how many there are. $1 id, $2 when, as records have
-- it. Answers the job.
INSERT INTO authority_reindex_job AS j (id, doc)
SELECT $1::uuid, jsonb_build_object(
  'id', $1::uuid, 'published', greatest(c.reltuples, 0)::bigint, 'jobStatus', 'Ids published',
  'resourceName', 'Authority', 'submittedDate', $2::text)
FROM pg_class c WHERE c.oid = 'authority'::regclass
RETURNING j.doc
