-- A good password. It signs in only a user who is active and has that password still: others may have guessed too
-- often, or set another password, while it was checked. Failures are forgotten, a refresh token (its digest may be null:
-- none is given) is kept, a few of those that have ended are swept away, and the log-in is logged where the library
-- wants that. Parameters: user id, hash that was checked, now, digest, end of the refresh token, event.
-- Answers the generation of the user's tokens; no row: refused.
WITH good AS (
  SELECT u.id FROM users u JOIN credential c ON c.user_id = u.id
  WHERE u.id = $1 AND c.hash = $2 AND (u.doc->>'active')::boolean FOR SHARE
), generation AS (
  SELECT good.id, coalesce((SELECT t.generation FROM token_generation t WHERE t.user_id = good.id), 0) AS number
  FROM good
), reset AS (
  INSERT INTO login_attempt (user_id, attempts, last_attempt) SELECT id, 0, $3 FROM good
  ON CONFLICT (user_id) DO UPDATE SET attempts = 0, last_attempt = excluded.last_attempt
), swept AS (
  DELETE FROM refresh_token
  WHERE digest = ANY (ARRAY(SELECT digest FROM refresh_token WHERE expires <= $3 ORDER BY expires LIMIT 50
                            FOR UPDATE SKIP LOCKED))
), kept AS (
  INSERT INTO refresh_token (digest, user_id, expires, generation)
  SELECT $4::bytea, id, $5, number FROM generation WHERE $4::bytea IS NOT NULL
)
SELECT number, log_login_event($6) FROM generation
