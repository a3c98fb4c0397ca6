-- The way from the top of the tree down to nodes: for each of them and all above, the number of siblings before. $1 kind of
-- the nodes, $2 ids, $3 repository, $4 whether only published nodes count, $5 whether the top may be suppressed.
WITH RECURSIVE up AS (
  SELECT n.id AS asked, n.id, n.parent, n.root_kind, n.root, n.rank, n.doc->>'display_string' AS title, 0 AS height
  FROM archival_record n WHERE n.kind = $1 AND n.id = ANY ($2::bigint[]) AND n.repository = $3
    AND (NOT $4::boolean OR n.publish AND NOT n.suppressed)
    AND ($5::boolean OR NOT EXISTS (
      SELECT FROM archival_record t WHERE t.kind = n.root_kind AND t.id = n.root AND t.suppressed))
  UNION ALL
  SELECT up.asked, p.id, p.parent, p.root_kind, p.root, p.rank, p.doc->>'display_string', up.height + 1
  FROM up JOIN archival_record p ON p.kind = $1 AND p.id = up.parent)
SELECT up.asked, up.id, up.parent, up.root, up.title, t.doc->>'title' AS root_title,
       archival_child_count($1, up.root, up.parent, $4, up.rank, up.id) AS position
FROM up JOIN archival_record t ON t.kind = up.root_kind AND t.id = up.root
ORDER BY up.asked, up.height DESC
