-- The numbers of all users of the archives. $1 changed since.
SELECT n.id FROM archives_user n WHERE n.changed >= $1::timestamptz ORDER BY n.id
