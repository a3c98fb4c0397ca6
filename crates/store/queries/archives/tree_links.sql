-- The records that a tree's records refer to in some properties, as a GET returns them. $1 kind of its top, $2 its id,
-- $3 kind of the nodes, $4 properties.
SELECT r.record
FROM (
  SELECT array_agg(t.target_kind) AS kinds, array_agg(t.target_id) AS ids
  FROM (
    SELECT x.target_kind, x.target_id FROM archival_reference x
    WHERE x.kind = $1 AND x.id = $2 AND x.property = ANY ($4::text[])
    UNION
    SELECT x.target_kind, x.target_id
    FROM archival_record n JOIN archival_reference x ON x.kind = n.kind AND x.id = n.id
    WHERE n.kind = $3 AND n.root = $2 AND x.property = ANY ($4::text[])) t) t,
  archival_records(t.kinds, t.ids) r
