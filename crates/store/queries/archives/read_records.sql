-- Records as a GET returns them, in the order asked for. $1 kinds, $2 ids.
SELECT r.record FROM archival_records($1::text[], $2::bigint[]) r ORDER BY r.place
