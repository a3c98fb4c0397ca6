-- Revokes all refresh tokens of a user. They stay, marked as used, until they expire. Parameter: user id.
UPDATE refresh_token SET spent = true WHERE user_id = $1 AND NOT spent
