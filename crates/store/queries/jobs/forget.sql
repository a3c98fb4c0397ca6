-- Deletes ended jobs: done before $1, failed before $2; at most $3.
DELETE FROM job WHERE id IN (
  SELECT id FROM job
  WHERE (state = 'done' AND finished < $1) OR (state = 'failed' AND finished < $2)
  ORDER BY finished LIMIT $3 FOR UPDATE SKIP LOCKED)
