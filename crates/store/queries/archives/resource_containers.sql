-- The containers of a resource and its components, each once. $1 resource, $2 repository.
SELECT c.id, coalesce(c.doc->>'type', '') AS type, coalesce(c.doc->>'indicator', '') AS indicator,
       c.doc->>'barcode' AS barcode
FROM (
  SELECT x.target_id AS id
  FROM archival_record n JOIN archival_reference x ON x.kind = n.kind AND x.id = n.id
  WHERE n.kind = 'archival_object' AND n.root = $1 AND x.target_kind = 'top_container'
  UNION
  SELECT x.target_id FROM archival_reference x
  WHERE x.kind = 'resource' AND x.id = $1 AND x.target_kind = 'top_container') h
JOIN archival_record c ON c.kind = 'top_container' AND c.id = h.id AND c.repository = $2
ORDER BY c.id
