-- Counts a wrong password of an active user; at the limit within the time, deactivates the user and resets the count.
-- Parameters: user id, now, limit (0: never), time in minutes, event of the failure, event of the block, now in stored
-- form. Returns whether the user is now blocked; no row: the user was already inactive. The user is locked first, as
-- after a success, to avoid deadlocks.
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
