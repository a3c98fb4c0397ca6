-- The addresses of records deleted since a moment, the first deleted first. $1 the moment, $2 how many to skip, $3 how many.
SELECT (SELECT count(*) FROM archival_deletion d WHERE d.deleted >= $1::timestamptz) AS total,
       ARRAY(SELECT d.uri FROM archival_deletion d WHERE d.deleted >= $1::timestamptz
             ORDER BY d.deleted, d.seq OFFSET $2::bigint LIMIT $3::bigint) AS uris
