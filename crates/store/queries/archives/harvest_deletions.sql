-- The deletions that harvesters are told next. $1 a pattern for addresses, $2 deleted from, $3 deleted before, $4 the number of
-- the last that was told, $5 how many. What a repository lost that is not offered is not told.
SELECT d.seq, d.uri, d.deleted
FROM archival_deletion d
WHERE d.seq > $4::bigint AND d.deleted >= $2::timestamptz AND d.deleted < $3::timestamptz AND d.uri ~ $1::text
  AND NOT EXISTS (
    SELECT FROM archival_record p
    WHERE p.kind = 'repository' AND p.id = substring(d.uri FROM '^/repositories/(\d{1,18})/')::bigint
      AND NOT EXISTS (SELECT FROM archival_offered_repositories() o WHERE o.id = p.id))
ORDER BY d.seq
LIMIT $5::bigint
