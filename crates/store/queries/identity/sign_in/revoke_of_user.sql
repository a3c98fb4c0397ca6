-- Ends all refresh tokens of a user. They stay, spent, until their time is over. Parameter: user id.
UPDATE refresh_token SET spent = true WHERE user_id = $1 AND NOT spent
