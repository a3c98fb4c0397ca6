-- Those of some numbers that records of a type have. $1 kind, $2 repository or null, $3 ids.
SELECT r.id FROM archival_record r
WHERE r.kind = $1 AND r.id = ANY ($3::bigint[]) AND r.repository IS NOT DISTINCT FROM $2::bigint ORDER BY r.id
