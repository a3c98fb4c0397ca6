-- Retries the failed jobs of the kind $1 from $2 on: for each key the latest, unless a later one waits.
UPDATE job SET state = 'waiting', run_after = $2, attempts = 0
WHERE id IN (
  SELECT DISTINCT ON (coalesce(f.key, f.id::text)) f.id
  FROM job f
  WHERE f.kind = $1 AND f.state = 'failed'
    AND NOT EXISTS (SELECT FROM job w WHERE w.kind = f.kind AND w.key = f.key AND w.state = 'waiting')
  ORDER BY coalesce(f.key, f.id::text), f.id DESC)
