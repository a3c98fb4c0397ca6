-- Completes a log-in, only for a user who is active and still has that password: both may have changed during the
-- check. Resets failures, saves a refresh token (none if its digest is null), deletes a few expired ones, and logs the
-- log-in if the library asks for that. Parameters: user id, checked hash, now, digest, end of the refresh token, event.
-- Returns the generation of the user's tokens; no row: refused.
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
SELECT number AS generation, log_login_event($6) FROM generation
