-- Records of a type after a number, as they are stored. $1 kind, $2 the number, $3 how many at most.
SELECT r.id, r.doc FROM archival_record r WHERE r.kind = $1 AND r.id > $2 AND r.id <> CASE r.kind WHEN 'repository' THEN 1 ELSE 0 END
ORDER BY r.id LIMIT $3
