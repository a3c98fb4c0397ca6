-- Sets how profile pictures are kept. $1 the id, $2 the record.
UPDATE profile_picture_configuration SET doc = $2 WHERE id = $1
