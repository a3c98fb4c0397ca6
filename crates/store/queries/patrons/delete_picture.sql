-- Deletes a profile picture. $1 the id.
DELETE FROM profile_picture WHERE id = $1
