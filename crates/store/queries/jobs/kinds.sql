-- Each kind of job as JSON: how many wait, run and have failed, the schedule, and the latest run.
WITH last AS (
  SELECT DISTINCT ON (kind) * FROM job WHERE started IS NOT NULL ORDER BY kind, started DESC, id DESC),
counted AS (
  SELECT kind,
         count(*) FILTER (WHERE state = 'waiting' AND schedule IS NULL) AS waiting,
         count(*) FILTER (WHERE state = 'running') AS running,
         count(*) FILTER (WHERE state = 'failed') AS failed,
         max(schedule::text)::json AS schedule,
         min(run_after) FILTER (WHERE state = 'waiting') AS next
  FROM job GROUP BY kind)
SELECT coalesce(json_agg(json_build_object(
         'kind', c.kind, 'waiting', c.waiting, 'running', c.running, 'failed', c.failed, 'schedule', c.schedule,
         'nextRun', to_char(c.next AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'lastRun', CASE WHEN l.id IS NOT NULL THEN json_build_object(
           'id', l.id,
           'started', to_char(l.started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'finished', to_char(l.finished AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'seconds', CASE WHEN l.finished >= l.started THEN extract(epoch FROM l.finished - l.started) END,
           'state', l.state, 'attempts', l.attempts, 'progress', l.progress, 'error', l.error) END)
         ORDER BY c.kind COLLATE "C"), '[]')::text
FROM counted c LEFT JOIN last l USING (kind)
