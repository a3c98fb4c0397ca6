-- What becomes of a job that has run, if it is still this process's: $1 id, $2 the process, $3 its attempt; $4 its state, $5
-- when it is due again, $6 attempts that count from now on, $7 why it failed, $8 now, $9 the schedule it was claimed with.
-- A schedule that was changed meanwhile is looked at again at once, one that was taken away ends the job; a job that would wait
-- beside a later one of its key leaves the work to that one.
UPDATE job j
SET state = CASE WHEN $4::text <> 'waiting' THEN $4::text
                 WHEN $9::jsonb IS NOT NULL AND j.schedule IS NULL THEN 'done'
                 WHEN EXISTS (SELECT FROM job w WHERE w.kind = j.kind AND w.key = j.key AND w.state = 'waiting') THEN 'failed'
                 ELSE 'waiting' END,
    run_after = CASE WHEN j.schedule IS DISTINCT FROM $9 THEN $8::timestamptz ELSE $5::timestamptz END,
    attempts = $6, error = $7, finished = $8::timestamptz, locked_by = NULL
WHERE j.id = $1 AND j.locked_by = $2 AND j.attempts = $3 AND j.state = 'running'
