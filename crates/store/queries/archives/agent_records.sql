-- The records of description that an agent is linked to, with its role. $1 kind of the agent, $2 its id, $3 the repository of
-- the records, or null for those of all, $4 whether suppressed ones are among them.
SELECT 1 AS depth, jsonb_build_object(
  'role', x.role, 'title', coalesce(r.doc->>'title', r.doc->>'display_string'),
  'uri', archival_uri(r.kind, r.repository, r.id)) AS record, false AS suppressed
FROM archival_reference x
JOIN archival_record r ON r.kind = x.kind AND r.id = x.id
WHERE x.target_kind = $1 AND x.target_id = $2 AND x.property = 'linked_agents'
  AND x.kind IN ('archival_object', 'digital_object', 'digital_object_component', 'resource')
  AND ($3::bigint IS NULL OR r.repository = $3) AND ($4::boolean OR NOT r.suppressed)
ORDER BY x.kind, x.id, x.role
