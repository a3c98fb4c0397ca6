-- Records of a repository whose titles begin or end with a space. $1 kind, $2 repository.
SELECT r.id FROM archival_record r
WHERE r.kind = $1 AND r.repository = $2 AND r.doc->>'title' ~ '^\s|\s$' ORDER BY r.id
