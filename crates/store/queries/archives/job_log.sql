-- The log of a job from a byte on. $1 job, $2 byte. A text may begin before it.
SELECT l.at, l.text FROM archives_job_log l
WHERE l.job = $1
  AND l.at >= coalesce((SELECT b.at FROM archives_job_log b WHERE b.job = $1 AND b.at <= $2 ORDER BY b.at DESC LIMIT 1), 0)
ORDER BY l.at
