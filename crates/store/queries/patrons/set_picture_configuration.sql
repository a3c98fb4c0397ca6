-- Replaces the configuration of profile pictures. $1 the id, $2 the record.
UPDATE profile_picture_configuration SET doc = $2 WHERE id = $1
