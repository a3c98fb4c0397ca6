-- Saves the refresh token that follows a used one, of the same generation: a password set meanwhile ends both.
-- Parameters: digest, user id, its end, generation.
INSERT INTO refresh_token (digest, user_id, expires, generation) VALUES ($1, $2, $3, $4)
