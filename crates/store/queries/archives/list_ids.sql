-- The ids of all records of a kind. $1 kind, $2 repository or null, $3 changed since, $4 whether suppressed records are
-- shown.
SELECT r.id FROM archival_record r
WHERE r.kind = $1 AND r.repository IS NOT DISTINCT FROM $2::bigint AND r.system_mtime >= $3::timestamptz
  AND ($4::boolean OR NOT r.suppressed)
ORDER BY r.id
