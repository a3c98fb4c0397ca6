-- Whether a user has a password. $1 the user.
SELECT EXISTS (SELECT FROM credential WHERE user_id = $1)
