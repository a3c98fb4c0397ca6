-- What came of a PIN. After too many wrong ones no PIN is right for a time. The row is locked while it is decided, so
-- guesses at the same moment count one after the other.
-- Parameters: user id, now, whether it is the patron's, limit (0: never), time in minutes. Answers whether it is let pass.
INSERT INTO pin_attempt AS a (user_id, attempts, last_attempt)
VALUES ($1, CASE WHEN $3::boolean THEN 0 ELSE 1 END, $2)
ON CONFLICT (user_id) DO UPDATE SET
  attempts = CASE
    WHEN excluded.last_attempt - a.last_attempt > make_interval(mins => $5::int) THEN excluded.attempts
    WHEN $4::int > 0 AND a.attempts >= $4::int THEN a.attempts
    WHEN $3::boolean THEN 0
    ELSE a.attempts + 1 END,
  last_attempt = CASE
    WHEN $4::int > 0 AND a.attempts >= $4::int
         AND excluded.last_attempt - a.last_attempt <= make_interval(mins => $5::int) THEN a.last_attempt
    ELSE excluded.last_attempt END
RETURNING $3::boolean AND attempts = 0
