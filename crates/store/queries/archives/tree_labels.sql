-- What labels tell of the containers of a resource's components: with the names of their profiles and of where they are now,
-- in the form of resolved references. $1 resource.
SELECT jsonb_build_object(
  'uri', archival_uri(c.kind, c.repository, c.id),
  'type', c.doc->'type', 'indicator', c.doc->'indicator', 'barcode', c.doc->'barcode',
  'container_profile', jsonb_build_object('_resolved', jsonb_build_object('display_string', p.name)),
  'container_locations', jsonb_build_array(jsonb_build_object(
    'status', 'current', '_resolved', jsonb_build_object('title', l.title)))) AS record
FROM (SELECT DISTINCT x.target_id AS id
      FROM archival_record n
      JOIN archival_reference x
        ON x.kind = n.kind AND x.id = n.id AND x.property = 'instances/sub_container/top_container'
      WHERE n.kind = 'archival_object' AND n.root = $1) t
JOIN archival_record c ON c.kind = 'top_container' AND c.id = t.id
LEFT JOIN LATERAL (
  SELECT coalesce(p.doc->>'display_string', p.doc->>'name') AS name
  FROM archival_reference x JOIN archival_record p ON p.kind = x.target_kind AND p.id = x.target_id
  WHERE x.kind = c.kind AND x.id = c.id AND x.property = 'container_profile' LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT l.doc->>'title' AS title
  FROM archival_reference x
  JOIN archival_record l ON l.kind = x.target_kind AND l.id = x.target_id
  JOIN jsonb_array_elements(c.doc->'container_locations') i
    ON i->>'ref' = archival_uri(l.kind, l.repository, l.id) AND i->>'status' = 'current'
  WHERE x.kind = c.kind AND x.id = c.id AND x.property = 'container_locations' LIMIT 1) l ON true
