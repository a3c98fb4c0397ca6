-- How many jobs wait before each of some that wait. $1 ids.
SELECT q.id, q.before
FROM (SELECT r.id, row_number() OVER (ORDER BY r.id) - 1 AS before
      FROM archival_record r WHERE r.kind = 'job' AND r.doc->>'status' = 'queued') q
WHERE q.id = ANY ($1::bigint[])
