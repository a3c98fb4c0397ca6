-- A good password: failures are forgotten, a refresh token (its digest may be null: none is given) is kept, a
-- few of those that have ended are swept away, and the log-in is logged where the library wants that.
-- Parameters: user id, now, digest, end of the refresh token, event.
WITH reset AS (
  INSERT INTO login_attempt (user_id, attempts, last_attempt) VALUES ($1, 0, $2)
  ON CONFLICT (user_id) DO UPDATE SET attempts = 0, last_attempt = excluded.last_attempt
), swept AS (
  DELETE FROM refresh_token
  WHERE digest = ANY (ARRAY(SELECT digest FROM refresh_token WHERE expires <= $2 ORDER BY expires LIMIT 50
                            FOR UPDATE SKIP LOCKED))
), kept AS (
  INSERT INTO refresh_token (digest, user_id, expires)
  SELECT $3::bytea, $1, $4 WHERE $3::bytea IS NOT NULL
)
SELECT log_login_event($5)
