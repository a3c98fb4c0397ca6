-- Events that the server writes when records move or are merged.

-- An event that the server writes about a record, as add_archival takes it.
CREATE OR REPLACE FUNCTION archival_event(
  within bigint, members jsonb, agents jsonb, records jsonb, at timestamptz)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('kind', 'event', 'repository', within, 'keys', '[]'::jsonb, 'needs', '[]'::jsonb,
    'doc', members || jsonb_build_object(
      'timestamp', archival_time(at), 'linked_agents', agents, 'linked_records', records, 'external_ids', '[]'::jsonb,
      'external_documents', '[]'::jsonb),
    'refs', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('property', l.property, 'role', e->>'role', 'uri', e->>'ref',
        'kind', CASE l.property WHEN 'linked_records' THEN regexp_replace(e->>'ref', '^/repositories/[0-9]+/([a-z_]+)s/[0-9]+$', '\1')
          ELSE a.kind END,
        'id', substring(e->>'ref' FROM '[0-9]+$')::bigint)), '[]')
      FROM (VALUES ('linked_agents', agents), ('linked_records', records)) AS l (property, entries),
           jsonb_array_elements(l.entries) e
      LEFT JOIN (VALUES ('people', 'agent_person'), ('families', 'agent_family'), ('software', 'agent_software'),
                        ('corporate_entities', 'agent_corporate_entity')) AS a (path, kind)
        ON a.path = split_part(e->>'ref', '/', 3)))
$$;

-- The agents of an event that the server writes: the one that stands for the repository.
CREATE OR REPLACE FUNCTION archival_agents(of_repository bigint, of_role text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('ref', r.doc#>>'{agent_representation,ref}', 'role', of_role)), '[]')
  FROM archival_record r
  WHERE r.kind = 'repository' AND r.id = of_repository AND r.doc#>'{agent_representation,ref}' IS NOT NULL
$$;

-- The agent of an event that a user brings about: the user's own or, without one, that of the repository.
CREATE OR REPLACE FUNCTION archival_implementer(who text, within bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT jsonb_build_array(jsonb_build_object('ref', archival_uri(u.agent_kind, NULL, u.agent), 'role', 'implementer'))
     FROM archives_user u
     WHERE u.agent IS NOT NULL AND u.user_id = (
       SELECT n.id FROM users n WHERE carrel.folded_key(n.doc->>'username') COLLATE "C" = carrel.folded_key(who)) LIMIT 1),
    archival_agents(within, 'implementer'))
$$;
