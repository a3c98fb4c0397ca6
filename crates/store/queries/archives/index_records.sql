-- Records as a GET returns them with what they refer to in some properties, and what that refers to in others; records in no
-- order, each once. Agents and subjects that are referred to come without what follows from all that refers to them.
-- $1 types, $2 ids, $3 names of properties, $4 names of properties of what they refer to, $5 types and $6 ids of records that are
-- known.
WITH asked AS MATERIALIZED (SELECT a.kind, a.id FROM unnest($1::text[], $2::bigint[]) AS a (kind, id)),
near AS MATERIALIZED (
  SELECT x.target_kind AS kind, x.target_id AS id
  FROM asked a JOIN archival_reference x ON x.kind = a.kind AND x.id = a.id
  WHERE substring(x.property FROM '[^/]+$') = ANY ($3::text[])
  UNION
  SELECT 'repository', r.repository FROM asked a JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  WHERE r.repository IS NOT NULL
  UNION
  SELECT r.root_kind, r.root FROM asked a JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  WHERE a.kind = 'digital_object_component' AND r.root_kind = ANY ($3::text[])),
referred AS MATERIALIZED (
  SELECT n.kind, n.id FROM near n
  UNION
  SELECT x.target_kind, x.target_id
  FROM near n JOIN archival_reference x ON x.kind = n.kind AND x.id = n.id
  WHERE substring(x.property FROM '[^/]+$') = ANY ($4::text[])
  EXCEPT (
    SELECT a.kind, a.id FROM asked a
    UNION ALL
    SELECT k.kind, k.id FROM unnest($5::text[], $6::bigint[]) AS k (kind, id))),
plain AS (
  SELECT r.kind, r.id FROM referred r
  WHERE r.kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject')),
complete AS (
  SELECT array_agg(c.kind) AS kinds, array_agg(c.id) AS ids
  FROM (SELECT a.kind, a.id FROM asked a
        UNION ALL
        (SELECT r.kind, r.id FROM referred r EXCEPT SELECT p.kind, p.id FROM plain p)) c)
SELECT c.record FROM complete, archival_records(complete.kinds, complete.ids) c
UNION ALL
SELECT r.doc || jsonb_build_object(
  'uri', archival_uri(r.kind, r.repository, r.id), 'jsonmodel_type', r.kind, 'lock_version', r.lock_version,
  'created_by', r.created_by, 'last_modified_by', r.last_modified_by, 'create_time', archival_time(r.create_time),
  'user_mtime', archival_time(r.user_mtime), 'system_mtime', archival_time(r.system_mtime))
FROM plain p JOIN archival_record r ON r.kind = p.kind AND r.id = p.id
