-- Replaces a profile picture. $1 the id, $2 the record.
UPDATE profile_picture SET doc = $2 WHERE id = $1
