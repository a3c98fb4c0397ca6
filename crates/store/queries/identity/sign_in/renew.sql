-- Keeps the refresh token that follows a spent one. Parameters: digest, user id, its end.
INSERT INTO refresh_token (digest, user_id, expires) VALUES ($1, $2, $3)
