-- A record as a GET returns it. $1 kind, $2 id, $3 its repository or null, $4 whether suppressed records are shown.
SELECT r.record FROM archival_records(ARRAY[$1::text], ARRAY[$2::bigint]) r
WHERE r.repository IS NOT DISTINCT FROM $3::bigint AND ($4::boolean OR NOT r.suppressed)
