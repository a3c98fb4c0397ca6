-- Returns the jobs $1, which the process $2 cannot finish, to the queue as if never started, due at $3. If a later job
-- of the same key waits, that one does the work.
UPDATE job j
SET state = CASE WHEN EXISTS (SELECT FROM job w WHERE w.kind = j.kind AND w.key = j.key AND w.state = 'waiting') THEN 'done'
                 ELSE 'waiting' END,
    run_after = $3, attempts = j.attempts - 1, finished = $3, locked_by = NULL
WHERE j.id = ANY ($1) AND j.state = 'running' AND j.locked_by = $2
