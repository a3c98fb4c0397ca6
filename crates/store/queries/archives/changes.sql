-- The records that may look different since a snapshot, each once. $1 the snapshot. A change belongs to the answer if its
-- transaction was not visible then and is now, in whatever order transactions were begun and committed.
WITH RECURSIVE change AS MATERIALIZED (
  SELECT c.kind, c.id, bool_or(c.around) AS around, bool_or(c.below) AS below, bit_or(c.heirs) AS heirs
  FROM archival_change c
  WHERE c.made >= pg_snapshot_xmin($1::text::pg_snapshot) AND NOT pg_visible_in_snapshot(c.made, $1::text::pg_snapshot)
  GROUP BY c.kind, c.id),
-- Nodes below changed ones, and whether more than their containers may look different, and if they inherit it.
tree AS (
  SELECT n.kind, n.id, n.root, c.below, c.heirs
  FROM change c JOIN archival_record n ON n.kind = CASE c.kind
      WHEN 'resource' THEN 'archival_object' WHEN 'digital_object' THEN 'digital_object_component'
      WHEN 'classification' THEN 'classification_term' END AND n.root = c.id
  WHERE c.around
  UNION
  SELECT n.kind, n.id, n.root, t.below, t.heirs
  FROM (SELECT r.kind, r.id, r.root, c.below, c.heirs FROM change c JOIN archival_record r ON r.kind = c.kind AND r.id = c.id
        WHERE c.around AND r.root IS NOT NULL
        UNION ALL
        SELECT t.kind, t.id, t.root, t.below, t.heirs FROM tree t) t
  JOIN archival_record n ON n.kind = t.kind AND n.root = t.root AND n.parent = t.id),
seed AS MATERIALIZED (
  SELECT c.kind, c.id, c.below FROM change c WHERE c.around
  UNION
  SELECT t.kind, t.id, t.below FROM tree t)
SELECT a.kind, a.id FROM (
  SELECT c.kind, c.id FROM change c
  UNION
  SELECT t.kind, t.id FROM tree t WHERE t.below
  UNION
  SELECT n.kind, n.id FROM tree t JOIN archival_record n ON n.kind = t.kind AND n.id = t.id
  WHERE t.heirs <> 0 AND NOT t.below AND n.publish
    AND (t.heirs & 1 <> 0 AND NOT n.doc ? 'title' OR t.heirs & 2 <> 0 AND coalesce(n.doc->'dates', '[]') = '[]'
         OR t.heirs & 4 <> 0 AND archival_access(n.doc) = '[]')
  UNION
  -- The types that belong to repositories and are searched. Without OFFSET, the planner would read the records of all.
  SELECT r.kind, r.id
  FROM change c CROSS JOIN LATERAL (
    SELECT n.kind, n.id FROM archival_record n
    WHERE n.repository = c.id
      AND n.kind IN ('accession', 'archival_object', 'assessment', 'classification', 'classification_term', 'collection_management',
                     'digital_object', 'digital_object_component', 'event', 'job', 'resource', 'top_container')
    OFFSET 0) r
  WHERE c.kind = 'repository' AND c.below
  UNION
  -- What shows the name of a changed record.
  SELECT x.kind, x.id
  FROM change c JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id
  WHERE c.around AND c.kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject',
                                'top_container', 'location', 'location_profile', 'container_profile', 'classification',
                                'classification_term', 'digital_object')
  UNION
  -- Containers show the profiles of the locations they are in.
  SELECT y.kind, y.id
  FROM change c
  JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id AND x.kind = 'location'
  JOIN archival_reference y ON y.target_kind = x.kind AND y.target_id = x.id AND y.kind = 'top_container'
  WHERE c.around AND c.kind = 'location_profile'
  UNION
  SELECT x.target_kind, x.target_id
  FROM seed s JOIN archival_reference x ON x.kind = s.kind AND x.id = s.id
  WHERE x.target_kind = 'top_container'
     OR s.below AND x.target_kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject')) a
ORDER BY a.kind, a.id
