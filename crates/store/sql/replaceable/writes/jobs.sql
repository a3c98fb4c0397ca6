-- Enters a job in the caller's transaction; it runs after the commit, at once if `run_after` is null. At most one job
-- of a kind and key waits: another one only brings it forward, and waits for the process that has it locked, so jobs
-- entered by every check-out should have no key.
CREATE OR REPLACE FUNCTION enqueue_job(
  kind text, payload jsonb, run_after timestamptz DEFAULT NULL, key text DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  entered bigint;
BEGIN
  INSERT INTO job AS j (kind, payload, run_after, key)
  VALUES (enqueue_job.kind, enqueue_job.payload, coalesce(enqueue_job.run_after, 'epoch'), enqueue_job.key)
  ON CONFLICT (kind, key) WHERE state = 'waiting' AND key IS NOT NULL
  DO UPDATE SET run_after = least(j.run_after, excluded.run_after)
  RETURNING j.id INTO entered;
  RETURN entered;
END $$;
