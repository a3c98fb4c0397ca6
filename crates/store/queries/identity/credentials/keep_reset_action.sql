-- Saves a password reset action, and deletes those that ended long ago. Parameters: its id, user id, its end, now.
-- Returns whether it was saved and whether the user has a password.
WITH swept AS (
  DELETE FROM password_reset_action WHERE expires < $4::timestamptz - interval '30 days'
), kept AS (
  INSERT INTO password_reset_action (id, user_id, expires) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO NOTHING RETURNING id
)
SELECT EXISTS (SELECT FROM kept) AS kept, EXISTS (SELECT FROM credential WHERE user_id = $2) AS has_password
