-- Authorities after one, in the order of their ids. $1 id, $2 how many.
SELECT a.id FROM authority a WHERE a.id > $1::uuid ORDER BY a.id LIMIT $2::bigint
