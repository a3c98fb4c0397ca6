-- Records a PIN check. After too many wrong PINs, all are refused for a time. The row stays locked meanwhile, so
-- concurrent guesses count one after the other. Parameters: user id, now, whether the PIN is right, limit (0: never),
-- time in minutes. Returns whether the PIN is accepted.
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
