-- Replaces the scheduled jobs of the kinds $2 by $1 [{kind, schedule, first}]; unchanged ones continue as before.
WITH wanted AS (
  SELECT * FROM jsonb_to_recordset($1) AS w (kind text, schedule jsonb, first timestamptz)),
unwanted AS (
  SELECT id, state FROM job
  WHERE schedule IS NOT NULL AND kind = ANY ($2) AND kind NOT IN (SELECT kind FROM wanted)
  FOR UPDATE),
gone AS (DELETE FROM job WHERE id IN (SELECT id FROM unwanted WHERE state <> 'running')),
ending AS (UPDATE job SET schedule = NULL WHERE id IN (SELECT id FROM unwanted WHERE state = 'running'))
INSERT INTO job AS j (kind, schedule, run_after)
SELECT kind, schedule, first FROM wanted ORDER BY kind
ON CONFLICT (kind) WHERE schedule IS NOT NULL
DO UPDATE SET schedule = excluded.schedule,
              run_after = CASE WHEN j.state = 'running' THEN j.run_after ELSE excluded.run_after END
WHERE j.schedule <> excluded.schedule
