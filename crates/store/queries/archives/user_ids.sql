-- The numbers of the users of the archives that lists have. $1 changed since.
SELECT n.id FROM archives_user n WHERE n.changed >= $1::timestamptz AND NOT n.is_hidden ORDER BY n.id
