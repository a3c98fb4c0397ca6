-- Takes the lock on a patron if it is free or over, or was taken too long ago for who wants it.
-- $1 id, $2 patron, $3 now, $4 end, $5 the time at which a lock taken then or before is over.
INSERT INTO check_out_lock AS l (id, user_id, created, expires) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, created = excluded.created, expires = excluded.expires
WHERE l.expires <= excluded.created OR l.created <= $5
RETURNING id
