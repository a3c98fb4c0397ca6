-- Values of lists by number. $1 ids.
SELECT v.id, v.value FROM archival_listed_value v WHERE v.id = ANY ($1::bigint[]) ORDER BY v.id
