-- A profile picture. $1 the id.
SELECT doc->>'content' FROM profile_picture WHERE id = $1
