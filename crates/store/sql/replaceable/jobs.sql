-- Enters a job in the caller's transaction; it is run some time after that commits, at once when `run_after` is null. Of
-- jobs of one kind and key at most one waits: another one only brings it forward, and waits for whoever has it in hand, so a
-- key does not belong into what every check-out does.
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
