-- Claims due jobs, including those with an expired lease, for one process. Jobs with the same key run one at a time. $1
-- now, $2 end of the lease, $3 the process, $4 the kinds it knows, $5 maximum number.
UPDATE job j
SET state = 'running', run_after = $2, locked_by = $3, attempts = j.attempts + 1, started = $1, progress = NULL
FROM (SELECT d.id FROM job d
      WHERE d.state IN ('waiting', 'running') AND d.run_after <= $1 AND d.kind = ANY ($4)
        AND (d.key IS NULL OR NOT EXISTS (
          SELECT FROM job r WHERE r.kind = d.kind AND r.key = d.key AND r.state = 'running' AND r.id <> d.id))
      ORDER BY d.run_after, d.id LIMIT $5
      FOR UPDATE OF d SKIP LOCKED) due
WHERE j.id = due.id
RETURNING j.id, j.kind, j.payload, j.schedule, j.attempts
