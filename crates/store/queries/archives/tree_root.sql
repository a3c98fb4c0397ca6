-- The top of a tree, as trees show it. $1 its kind, $2 id, $3 repository, $4 kind of the nodes, $5 whether only published
-- nodes, $6 whether it may be suppressed.
SELECT r.doc, r.suppressed, archival_child_count($4, r.id, NULL, $5, NULL, NULL) AS child_count,
       jsonb_path_exists(r.doc, '$.instances[*].digital_object') AS has_digital_instance,
       archival_containers(r.doc) AS containers
FROM archival_record r WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3 AND ($6::boolean OR NOT r.suppressed)
