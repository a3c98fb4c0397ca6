-- A record as it is stored, for a decision on it. $1 kind, $2 id, $3 its repository or null.
SELECT r.doc, r.lock_version, r.suppressed, r.root_kind, r.root, r.parent
FROM archival_record r WHERE r.kind = $1 AND r.id = $2 AND r.repository IS NOT DISTINCT FROM $3::bigint
