-- Revokes a refresh token. Parameter: digest. Returns its user.
UPDATE refresh_token SET spent = true WHERE digest = $1 RETURNING user_id
