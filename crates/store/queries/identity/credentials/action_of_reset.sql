-- A password reset action. Parameter: its id.
SELECT user_id, expires FROM password_reset_action WHERE id = $1
