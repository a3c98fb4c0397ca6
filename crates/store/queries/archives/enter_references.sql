-- Writes references of imported records, each given once. $1 kinds, $2 ids, $3 repositories (0: none), $4 properties, $5 roles, $6
-- types and $7 ids of what they refer to. Returns the records whose lists those that they refer to show, too.
WITH entered AS (
  INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
  SELECT a.kind, a.id, a.repository, a.property, a.role, a.target_kind, a.target_id
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    AS a (kind, id, repository, property, role, target_kind, target_id)
  RETURNING kind, id, property, target_kind)
SELECT DISTINCT e.kind, e.id
FROM entered e
JOIN archival_mirrors() m ON m.kind = e.kind AND m.property = e.property AND m.target_kind = e.target_kind
