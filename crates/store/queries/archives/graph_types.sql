-- The types of a record, of those below it and of their parts, notes aside. $1 kind, $2 id, $3 repository, $4 whether it may be
-- suppressed. No row: there is no such record.
SELECT (
  SELECT jsonb_agg(DISTINCT t.type)
  FROM archival_subtree(r.kind, r.id) s
  JOIN archival_record n ON n.kind = s.kind AND n.id = s.id
  CROSS JOIN LATERAL (
    SELECT n.kind AS type
    UNION
    SELECT part #>> '{}' FROM jsonb_path_query(n.doc - 'notes', 'lax $.**.jsonmodel_type') part) t
  WHERE t.type NOT LIKE 'note%') AS types
FROM archival_record r WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3
  AND ($4::boolean OR NOT r.suppressed)
