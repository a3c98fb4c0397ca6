-- The records that a tree's records refer to in some properties, without what follows from all that refers to them: exports
-- show none of that. $1 kind of its top, $2 its id, $3 kind of the nodes, $4 properties. What a tree refers to is read as one
-- range of the key, because most trees are made in one go; OFFSET 0 keeps PostgreSQL from looking up each node's.
SELECT r.doc || jsonb_build_object(
  'uri', archival_uri(r.kind, r.repository, r.id), 'jsonmodel_type', r.kind, 'suppressed', r.suppressed) AS record
FROM (
  SELECT x.target_kind, x.target_id FROM archival_reference x
  WHERE x.kind = $1 AND x.id = $2 AND x.property = ANY ($4::text[])
  UNION
  SELECT x.target_kind, x.target_id
  FROM (SELECT n.id FROM archival_record n WHERE n.kind = $3 AND n.root = $2 OFFSET 0) n
  JOIN (
    SELECT * FROM archival_reference x
    WHERE x.kind = $3 AND x.property = ANY ($4::text[])
      AND x.id >= (SELECT min(n.id) FROM archival_record n WHERE n.kind = $3 AND n.root = $2)
      AND x.id <= (SELECT max(n.id) FROM archival_record n WHERE n.kind = $3 AND n.root = $2)
    OFFSET 0) x ON x.id = n.id) t
-- PostgreSQL expects so many that it would read the whole table; the limit leaves it the key.
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = t.target_kind AND r.id = t.target_id LIMIT 1) r
