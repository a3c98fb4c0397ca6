-- The components of a resource as sheets to fill in have them, in the order of their ids. $1 resource, $2 its repository.
SELECT 1 AS depth, jsonb_build_object(
  'archival_object_id', n.id, 'ref_id', n.doc->'ref_id', 'component_id', n.doc->'component_id',
  'archival_object_title', n.doc->'title', 'ao_uri', archival_uri(n.kind, n.repository, n.id)) AS record,
  false AS suppressed
FROM archival_record n
WHERE n.kind = 'archival_object' AND n.root = $1 AND n.repository = $2
ORDER BY n.id
