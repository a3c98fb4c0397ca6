-- Records as they are stored, for changes in the same transaction: nobody else changes them before its end. $1 kinds, $2 ids.
SELECT r.kind, r.id, r.repository, r.doc, r.suppressed, r.lock_version, r.root_kind, r.root, r.parent
FROM unnest($1::text[], $2::bigint[]) AS a (kind, id)
JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
ORDER BY r.kind, r.id FOR NO KEY UPDATE OF r
