-- Records of a type in a repository after a number, with their ARKs. $1 kind, $2 repository, $3 the number, $4 how many at most.
SELECT r.id, r.doc->'ark_name' AS ark FROM archival_record r
WHERE r.kind = $1 AND r.repository = $2 AND r.id > $3 ORDER BY r.id LIMIT $4
