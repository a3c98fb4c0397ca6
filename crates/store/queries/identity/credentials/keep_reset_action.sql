-- Keeps a password reset action. Parameters: its id, user id, its end, now. Actions long over are swept away.
-- Answers whether it was kept and whether the user has a password.
WITH swept AS (
  DELETE FROM password_reset_action WHERE expires < $4::timestamptz - interval '30 days'
), kept AS (
  INSERT INTO password_reset_action (id, user_id, expires) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO NOTHING RETURNING id
)
SELECT EXISTS (SELECT FROM kept), EXISTS (SELECT FROM credential WHERE user_id = $2)
