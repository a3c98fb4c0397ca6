-- How it stands with some jobs that are not over: how many wait before one that waits, how far one is that runs. $1 ids.
SELECT q.id, q.before, NULL::jsonb AS progress
FROM (SELECT r.id, row_number() OVER (ORDER BY r.id) - 1 AS before
      FROM archival_record r WHERE r.kind = 'job' AND r.doc->>'status' = 'queued') q
WHERE q.id = ANY ($1::bigint[])
UNION ALL
SELECT (j.payload->>'job')::bigint, NULL, j.progress
FROM job j
WHERE j.state = 'running' AND j.kind = 'archives' AND j.progress IS NOT NULL
  AND (j.payload->>'job')::bigint = ANY ($1::bigint[])
