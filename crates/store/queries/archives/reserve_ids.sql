-- The next ids of a kind of record. $1 kind, $2 how many.
SELECT nextval(('archival_id_' || $1::text)::regclass) FROM generate_series(1, $2::bigint)
