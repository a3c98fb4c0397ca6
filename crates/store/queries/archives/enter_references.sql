-- Writes references of imported records, each given once. $1 kinds, $2 ids, $3 properties, $4 roles, $5 types and $6 ids of
-- what they refer to.
INSERT INTO archival_reference (kind, id, property, role, target_kind, target_id)
SELECT a.kind, a.id, a.property, a.role, a.target_kind, a.target_id
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  AS a (kind, id, property, role, target_kind, target_id)
