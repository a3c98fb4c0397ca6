-- All nodes of a tree as far as their order needs them. $1 kind of the nodes, $2 top of the tree.
SELECT n.id, n.parent, n.publish AND NOT n.suppressed AS shown, n.doc->>'display_string' AS title,
       coalesce(n.doc->>'other_level', n.doc->>'level') AS level
FROM archival_record n WHERE n.kind = $1 AND n.root = $2
ORDER BY n.parent NULLS FIRST, n.rank, n.id
