-- All nodes of a tree, siblings in their order. $1 kind of the nodes, $2 top of the tree.
SELECT n.id, n.parent, n.publish, n.suppressed, n.doc->>'display_string' AS title,
       coalesce(n.doc->>'other_level', n.doc->>'level') AS level, n.doc->>'component_id' AS component_id,
       n.doc->>'identifier' AS identifier, n.doc->>'ref_id' AS ref_id,
       (SELECT jsonb_agg(i->>'instance_type' ORDER BY p)
        FROM jsonb_array_elements(n.doc->'instances') WITH ORDINALITY AS e (i, p)) AS instance_types,
       archival_containers(n.doc) AS containers
FROM archival_record n WHERE n.kind = $1 AND n.root = $2
ORDER BY n.parent NULLS FIRST, n.rank, n.id
