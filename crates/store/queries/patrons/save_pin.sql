-- Saves a PIN and resets wrong attempts. $1 the user, $2 the record.
WITH forgotten AS (DELETE FROM pin_attempt WHERE user_id = $1)
INSERT INTO patronpin (id, doc) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
