-- Instances after one, in the order in which they were made: so they lie on disk, and mostly what belongs to them, too. $1 the place
-- of that one, $2 how many.
SELECT i.seq, i.id FROM instance i WHERE i.seq > $1::bigint ORDER BY i.seq LIMIT $2::bigint
