-- Deletes a user with credentials, permissions and request preference. Parameter: user id.
WITH gone AS (
  DELETE FROM users WHERE id = $1 RETURNING id
), credentials AS (
  DELETE FROM credential c USING gone WHERE c.user_id = gone.id
), remembered AS (
  DELETE FROM credential_history c USING gone WHERE c.user_id = gone.id
), attempts AS (
  DELETE FROM login_attempt a USING gone WHERE a.user_id = gone.id
), tokens AS (
  DELETE FROM refresh_token t USING gone WHERE t.user_id = gone.id
), generations AS (
  DELETE FROM token_generation g USING gone WHERE g.user_id = gone.id
), pins AS (
  DELETE FROM pin_attempt p USING gone WHERE p.user_id = gone.id
), resets AS (
  DELETE FROM password_reset_action a USING gone WHERE a.user_id = gone.id
), held AS (
  DELETE FROM permissions_users p USING gone WHERE p.userid = gone.id
), preference AS (
  DELETE FROM user_request_preference p USING gone WHERE p.userid = gone.id
)
SELECT count(*) FROM gone
