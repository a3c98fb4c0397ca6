-- Creates a user's first credentials. Parameters: user id, hash. Changes no row if there are some.
INSERT INTO credential (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING
