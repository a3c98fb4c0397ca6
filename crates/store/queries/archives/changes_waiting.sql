-- How many changes a snapshot has not seen, as changes.sql finds them, and for how many seconds the first of them. $1 the
-- snapshot.
SELECT count(*) AS changes, extract(epoch FROM now() - min(c.at))::bigint AS seconds
FROM archival_change c
WHERE c.made >= pg_snapshot_xmin($1::text::pg_snapshot) AND NOT pg_visible_in_snapshot(c.made, $1::text::pg_snapshot)
