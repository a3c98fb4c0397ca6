-- A node, as trees show it. $1 kind of the top of the tree, $2 its id, $3 repository, $4 kind of the nodes, $5 id, $6 whether only
-- published nodes count, $7 whether it and the top may be suppressed.
SELECT n.doc, archival_child_count(n.kind, n.root, n.id, $6, NULL, NULL) AS child_count,
       archival_child_count(n.kind, n.root, n.parent, $6, n.rank, n.id) AS position,
       jsonb_path_exists(n.doc, '$.instances[*].digital_object') AS has_digital_instance
FROM archival_record n
WHERE n.kind = $4 AND n.id = $5 AND n.root_kind = $1 AND n.root = $2 AND n.repository = $3
  AND ($7::boolean OR NOT n.suppressed AND NOT EXISTS (
    SELECT FROM archival_record t WHERE t.kind = $1 AND t.id = $2 AND t.suppressed))
