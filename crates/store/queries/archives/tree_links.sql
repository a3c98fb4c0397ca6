-- The records that a tree's records refer to in some properties, without what follows from all that refers to them: exports
-- show none of that. $1 kind of its top, $2 its id, $3 kind of the nodes, $4 properties.
SELECT r.doc || jsonb_build_object(
  'uri', archival_uri(r.kind, r.repository, r.id), 'jsonmodel_type', r.kind, 'suppressed', r.suppressed) AS record
FROM (
  SELECT x.target_kind, x.target_id FROM archival_reference x
  WHERE x.kind = $1 AND x.id = $2 AND x.property = ANY ($4::text[])
  UNION
  SELECT x.target_kind, x.target_id
  FROM archival_record n JOIN archival_reference x ON x.kind = n.kind AND x.id = n.id
  WHERE n.kind = $3 AND n.root = $2 AND x.property = ANY ($4::text[])) t
-- PostgreSQL expects so many that it would read the whole table; the limit leaves it the key.
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = t.target_kind AND r.id = t.target_id LIMIT 1) r
