-- One page of a node's children, as trees show them. $1 kind of the nodes, $2 top of the tree, $3 node above or null,
-- $4 whether only published nodes, $5 how many to skip, $6 how many, $7 kind of the top, $8 its repository, $9 whether that
-- and the node above may be suppressed. No row: there is no such tree in the repository; one without an id: the page is empty.
SELECT c.id, c.repository, c.doc->>'title' AS title, c.suppressed, c.doc->>'component_id' AS component_id,
       c.doc->>'identifier' AS identifier,
       coalesce(c.doc->>'other_level', c.doc->>'level') AS level, c.doc->'dates' AS dates, c.doc->>'slug' AS slug,
       c.doc->>'label' AS label, c.doc->'file_versions' AS files,
       archival_child_count(c.kind, c.root, c.id, $4, NULL, NULL) AS child_count,
       jsonb_path_exists(c.doc, '$.instances[*].digital_object') AS has_digital_instance,
       archival_containers(c.doc) AS containers
FROM archival_record t
LEFT JOIN LATERAL archival_children($1, t.id, $3, $4, $5, $6) c ON true
WHERE t.kind = $7 AND t.id = $2 AND t.repository = $8
  AND ($9::boolean OR NOT t.suppressed AND NOT EXISTS (
    SELECT FROM archival_record p WHERE p.kind = $1 AND p.id = $3 AND p.suppressed))
