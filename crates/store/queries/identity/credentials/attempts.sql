-- The log-in failures of a user. Parameter: user id.
SELECT id, attempts, last_attempt FROM login_attempt WHERE user_id = $1
