-- What transactions after one have changed that clients remember, in their order, each with the number of its transaction: only
-- of those that everything before is known of. $1 the transaction, $2 since when.
SELECT c.made::text::bigint AS sequence, (extract(epoch FROM max(c.at)) * 1000)::bigint AS at, n.code
FROM archival_change c
CROSS JOIN LATERAL (SELECT CASE c.kind
    WHEN 'group' THEN 'REFRESH_ACLS' WHEN 'repository' THEN 'REPOSITORY_CHANGED' WHEN 'preference' THEN 'REFRESH_PREFERENCES'
    WHEN 'term' THEN 'VOCABULARY_CHANGED' WHEN 'vocabulary' THEN 'VOCABULARY_CHANGED' WHEN 'enumeration' THEN 'ENUMERATION_CHANGED'
  END AS code) n
WHERE c.made > $1::text::xid8 AND c.made < pg_snapshot_xmin(pg_current_snapshot()) AND c.at >= $2::timestamptz
  AND n.code IS NOT NULL
GROUP BY c.made, n.code
ORDER BY c.made, n.code LIMIT 250
