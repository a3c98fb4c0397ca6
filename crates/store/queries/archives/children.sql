-- The children of a node as a GET returns them. $1 kind, $2 id, $3 repository, $4 whether suppressed records are
-- shown.
SELECT r.record
FROM archival_record p
CROSS JOIN LATERAL (
  SELECT array_agg(c.kind) AS kinds, array_agg(c.id) AS ids
  FROM archival_children(p.kind, p.root, p.id, false, 0, NULL) c) c
CROSS JOIN LATERAL archival_records(c.kinds, c.ids) r
WHERE p.kind = $1 AND p.id = $2 AND p.repository = $3 AND ($4::boolean OR NOT p.suppressed AND NOT r.suppressed)
ORDER BY r.place
