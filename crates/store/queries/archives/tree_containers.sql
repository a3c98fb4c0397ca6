-- The containers of a tree's published records, depth first, each once. $1 kind of its top, $2 its id, $3 repository, $4 kind
-- of the nodes, $5 whether that may be suppressed. Below a record that is not published, none counts. No row: there is no such record.
WITH RECURSIVE top AS MATERIALIZED (
  SELECT r.doc, r.publish AND NOT r.suppressed AS shown FROM archival_record r
  WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3 AND ($5::boolean OR NOT r.suppressed)),
walk AS (
  SELECT n.id, ARRAY[n.rank, n.id] AS path
  FROM top JOIN archival_record n ON n.kind = $4 AND n.root = $2 AND n.parent IS NULL
  WHERE top.shown AND n.publish AND NOT n.suppressed
  UNION ALL
  SELECT n.id, walk.path || ARRAY[n.rank, n.id]
  FROM walk JOIN archival_record n ON n.kind = $4 AND n.root = $2 AND n.parent = walk.id
  WHERE n.publish AND NOT n.suppressed),
held AS (
  SELECT i#>>'{sub_container,top_container,ref}' AS ref, min(s.path || ARRAY[0, i.place]) AS first
  FROM (SELECT '{}'::bigint[] AS path, top.doc->'instances' AS instances FROM top WHERE top.shown
        UNION ALL
        SELECT walk.path, n.doc->'instances' FROM walk JOIN archival_record n ON n.kind = $4 AND n.id = walk.id) s
  CROSS JOIN LATERAL jsonb_array_elements(s.instances) WITH ORDINALITY AS i (i, place)
  GROUP BY 1)
SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('ref', h.ref) ORDER BY h.first), '[]')
        FROM held h WHERE h.ref IS NOT NULL) AS refs
FROM top
