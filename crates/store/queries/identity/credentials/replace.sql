-- A new password; the one before is remembered among the last ones. The user's failures are forgotten; a reset
-- ends all refresh tokens. Parameters: user id, hash, now, passwords remembered, event, id of the password reset
-- action this answers (or null). Answers whether there was a password before.
WITH before AS (
  SELECT hash FROM credential WHERE user_id = $1
), saved AS (
  INSERT INTO credential (user_id, hash, changed) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed = excluded.changed
), remembered AS (
  INSERT INTO credential_history (user_id, hash, replaced) SELECT $1, hash, $3 FROM before
), forgotten AS (
  DELETE FROM credential_history
  WHERE user_id = $1 AND replaced < (SELECT h.replaced FROM credential_history h WHERE h.user_id = $1
                                     ORDER BY h.replaced DESC OFFSET greatest($4::int - 2, 0) LIMIT 1)
), reset AS (
  UPDATE login_attempt SET attempts = 0, last_attempt = $3 WHERE user_id = $1
), ended AS (
  UPDATE refresh_token SET spent = true WHERE user_id = $1 AND NOT spent AND $6::uuid IS NOT NULL
), answered AS (
  DELETE FROM password_reset_action WHERE id = $6
)
SELECT EXISTS (SELECT FROM before), log_login_event($5)
