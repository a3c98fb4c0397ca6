-- Ends one refresh token. Parameter: digest. Answers its user.
UPDATE refresh_token SET spent = true WHERE digest = $1 RETURNING user_id
