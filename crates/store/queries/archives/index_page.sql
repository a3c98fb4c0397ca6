-- Records after one, in the order of types and ids. $1 type, $2 id, $3 how many.
SELECT r.kind, r.id FROM archival_record r WHERE (r.kind, r.id) > ($1::text, $2::bigint) ORDER BY r.kind, r.id LIMIT $3::bigint
