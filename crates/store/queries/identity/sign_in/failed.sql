-- A wrong password of an active user: counts it; at the limit within the time the user becomes inactive and the count
-- 0. Parameters: user id, now, limit (0: never), time in minutes, event of the failure, event of the block, now as
-- dates are stored. Answers whether the user is blocked now; no row: the user was inactive already.
-- The user is locked first, as by a success, so that neither waits for the other twice.
WITH locked AS (
  SELECT u.id FROM users u WHERE u.id = $1 AND (u.doc->>'active')::boolean FOR NO KEY UPDATE
), counted AS (
  INSERT INTO login_attempt AS a (user_id, attempts, last_attempt)
  SELECT id, CASE WHEN $3::int = 1 THEN 0 ELSE 1 END, $2 FROM locked
  ON CONFLICT (user_id) DO UPDATE SET
    attempts = CASE
      WHEN excluded.last_attempt - a.last_attempt > make_interval(mins => $4::int) THEN excluded.attempts
      WHEN $3::int > 0 AND a.attempts + 1 >= $3::int THEN 0
      ELSE a.attempts + 1 END,
    last_attempt = excluded.last_attempt
  RETURNING attempts = 0 AND $3::int > 0 AS blocked
), blocked AS (
  UPDATE users u SET doc = made_inactive(u.doc, $7::text) FROM counted WHERE u.id = $1 AND counted.blocked
)
SELECT counted.blocked, log_login_event($5),
       CASE WHEN counted.blocked THEN log_login_event($6) END
FROM counted
