-- First credentials of a user. Parameters: user id, hash. No row is touched when there are some.
INSERT INTO credential (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING
