-- Takes the lock on a patron if it is free, has ended, or is too old. $1 id, $2 patron, $3 now, $4 end, $5 locks taken
-- at or before this time have ended.
INSERT INTO check_out_lock AS l (id, user_id, created, expires) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, created = excluded.created, expires = excluded.expires
WHERE l.expires <= excluded.created OR l.created <= $5
RETURNING id
