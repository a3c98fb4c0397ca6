-- The records that a tree's records refer to in some properties, as a GET returns them. $1 kind of its top, $2 its id,
-- $3 kind of the nodes, $4 properties.
SELECT r.record
FROM (
  SELECT array_agg(t.target_kind) AS kinds, array_agg(t.target_id) AS ids
  FROM (SELECT DISTINCT x.target_kind, x.target_id
        FROM archival_reference x
        LEFT JOIN archival_record n ON x.kind = $3 AND n.kind = $3 AND n.id = x.id
        WHERE x.property = ANY ($4::text[]) AND (x.kind = $1 AND x.id = $2 OR x.kind = $3 AND n.root = $2)) t) t,
  archival_records(t.kinds, t.ids) r
