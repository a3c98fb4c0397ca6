-- The node before a node: its sibling or, if it is the first, its parent. $1 kind, $2 id, $3 repository, $4 whether
-- they may be suppressed. No row: the first node of the tree, or no such node.
SELECT r.record
FROM archival_record n
CROSS JOIN LATERAL (
  SELECT CASE WHEN n.parent IS NULL THEN (
      SELECT s.id FROM archival_record s
      WHERE s.kind = n.kind AND s.root = n.root AND s.parent IS NULL AND (s.rank, s.id) < (n.rank, n.id)
      ORDER BY s.parent DESC, s.rank DESC, s.id DESC LIMIT 1)
    ELSE coalesce((
      SELECT s.id FROM archival_record s
      WHERE s.kind = n.kind AND s.root = n.root AND s.parent = n.parent AND (s.rank, s.id) < (n.rank, n.id)
      ORDER BY s.rank DESC, s.id DESC LIMIT 1), n.parent) END AS id) p
CROSS JOIN LATERAL archival_records(ARRAY[n.kind], ARRAY[p.id]) r
WHERE n.kind = $1 AND n.id = $2 AND n.repository = $3
  AND ($4::boolean OR NOT n.suppressed AND NOT r.suppressed)
