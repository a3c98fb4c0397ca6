-- Saves a profile picture. $1 the id, $2 the record.
INSERT INTO profile_picture (id, doc) VALUES ($1, $2)
