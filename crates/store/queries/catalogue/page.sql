-- Instances after one, in the order of their ids. $1 id, $2 how many.
SELECT i.id FROM instance i WHERE i.id > $1::uuid ORDER BY i.id LIMIT $2::bigint
