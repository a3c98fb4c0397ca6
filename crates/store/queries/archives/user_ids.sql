-- The numbers of all users of the archives. $1 changed since.
SELECT n.id FROM archives_user n WHERE coalesce(n.changed, n.created) >= $1::timestamptz ORDER BY n.id
