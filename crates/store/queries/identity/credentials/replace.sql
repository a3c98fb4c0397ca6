-- Sets a new password and adds the old one to the history. Requires a valid, unused password reset action, or the
-- proven current password of an active user; both are checked again here, where only one of several concurrent calls
-- succeeds. Resets the user's failures, and ends all tokens and other reset actions. Parameters: user id, hash, now,
-- length of the password history, event, id of the reset action (or null), hash of the proven password (or null).
-- Returns whether there was a password before; no row: refused.
WITH answered AS (
  DELETE FROM password_reset_action WHERE id = $6 AND user_id = $1 AND expires > $3 RETURNING id
), proven AS (
  SELECT u.id FROM users u JOIN credential c ON c.user_id = u.id
  WHERE u.id = $1 AND c.hash = $7 AND (u.doc->>'active')::boolean FOR NO KEY UPDATE
), before AS (
  SELECT hash FROM credential WHERE user_id = $1
), saved AS (
  INSERT INTO credential (user_id, hash, changed)
  SELECT $1, $2, $3 WHERE EXISTS (SELECT FROM answered) OR EXISTS (SELECT FROM proven)
  ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed = excluded.changed
  RETURNING user_id
), remembered AS (
  INSERT INTO credential_history (user_id, hash, replaced) SELECT saved.user_id, before.hash, $3 FROM saved, before
), forgotten AS (
  DELETE FROM credential_history o USING saved
  WHERE o.user_id = saved.user_id
    AND o.replaced < (SELECT h.replaced FROM credential_history h WHERE h.user_id = $1
                      ORDER BY h.replaced DESC OFFSET greatest($4::int - 2, 0) LIMIT 1)
), reset AS (
  UPDATE login_attempt a SET attempts = 0, last_attempt = $3 FROM saved WHERE a.user_id = saved.user_id
), ended AS (
  INSERT INTO token_generation AS t (user_id, generation) SELECT user_id, 1 FROM saved
  ON CONFLICT (user_id) DO UPDATE SET generation = t.generation + 1
), others AS (
  DELETE FROM password_reset_action p USING saved WHERE p.user_id = saved.user_id AND p.id IS DISTINCT FROM $6
)
SELECT EXISTS (SELECT FROM before) AS had_password, log_login_event($5) FROM saved
