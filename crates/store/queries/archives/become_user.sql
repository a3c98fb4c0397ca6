-- Lets a session act as another user. $1 digest of its token, $2 the user.
UPDATE archives_session s SET user_id = $2 WHERE s.digest = $1
