-- The authorities that may look different since a snapshot, each once; NULL: all of them. $1 the snapshot. See
-- catalogue/changes.sql.
SELECT DISTINCT c.authority
FROM authority_change c
WHERE c.made >= pg_snapshot_xmin($1::text::pg_snapshot) AND NOT pg_visible_in_snapshot(c.made, $1::text::pg_snapshot)
ORDER BY c.authority
