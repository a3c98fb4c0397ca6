-- Records that were written or deleted by transactions after one, in the order of the transactions, each with the number of
-- its transaction: only of those that everything before is known of, and of few records. $1 the transaction, $2 since when,
-- $3 how many records at most. A transaction is never shown in part.
WITH change AS MATERIALIZED (
  SELECT DISTINCT c.made, c.kind, c.id, max(c.at) OVER (PARTITION BY c.made) AS at
  FROM archival_change c
  WHERE c.made > $1::text::xid8 AND c.made < pg_snapshot_xmin(pg_current_snapshot()) AND c.at >= $2::timestamptz
    AND c.kind NOT IN ('enumeration', 'group', 'preference', 'term')),
fits AS (
  SELECT s.made
  FROM (SELECT m.made, sum(m.many) OVER (ORDER BY m.made) AS so_far
        FROM (SELECT c.made, count(*) AS many FROM change c GROUP BY c.made HAVING count(*) <= $3::bigint) m) s
  WHERE s.so_far <= $3::bigint),
shown AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY c.made, c.kind, c.id) AS place, c.*
  FROM change c JOIN fits f ON f.made = c.made),
found AS MATERIALIZED (
  SELECT a.place, a.record
  FROM (SELECT array_agg(s.kind ORDER BY s.place) AS kinds, array_agg(s.id ORDER BY s.place) AS ids FROM shown s) s,
       archival_records(s.kinds, s.ids) a)
SELECT s.made::text::bigint AS sequence, (extract(epoch FROM s.at) * 1000)::bigint AS at, f.record,
       (SELECT d.uri FROM archival_deletion d
        WHERE f.record IS NULL AND d.deleted >= $2::timestamptz - interval '1 minute'
          AND d.uri LIKE '%' || archival_uri(s.kind, NULL, s.id)
        ORDER BY d.seq DESC LIMIT 1) AS deleted
FROM shown s LEFT JOIN found f ON f.place = s.place
ORDER BY s.place
