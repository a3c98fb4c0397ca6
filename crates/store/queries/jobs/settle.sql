-- Records the outcome of a job if this process still has it: $1 id, $2 the process, $3 its attempt; $4 the new state,
-- $5 when it is due again, $6 the new count of attempts, $7 why it failed, $8 now, $9 the schedule at the claim. If the
-- schedule has changed meanwhile, the job is due at once; if it was removed, the job ends. A job that would wait beside
-- a later one of its key leaves the work to that one.
UPDATE job j
SET state = CASE WHEN $4::text <> 'waiting' THEN $4::text
                 WHEN $9::jsonb IS NOT NULL AND j.schedule IS NULL THEN 'done'
                 WHEN EXISTS (SELECT FROM job w WHERE w.kind = j.kind AND w.key = j.key AND w.state = 'waiting') THEN 'failed'
                 ELSE 'waiting' END,
    run_after = CASE WHEN j.schedule IS DISTINCT FROM $9 THEN $8::timestamptz ELSE $5::timestamptz END,
    attempts = $6, error = $7, finished = $8::timestamptz, locked_by = NULL
WHERE j.id = $1 AND j.locked_by = $2 AND j.attempts = $3 AND j.state = 'running'
