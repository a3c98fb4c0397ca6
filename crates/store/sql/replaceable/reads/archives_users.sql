-- What a user is called: as the archives say, as the library says, or by the user name.
CREATE OR REPLACE FUNCTION archives_user_name(profile jsonb, doc jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(profile->>'name', nullif(concat_ws(' ', doc#>>'{personal,firstName}', doc#>>'{personal,lastName}'), ''),
                  doc->>'username', '')
$$;

-- Users of the archives as a GET returns them, in the order of the numbers asked for. Whether the permissions of the
-- library make them administrators is not looked at. The administrator `admin` is one of those that stay, as in
-- ArchivesSpace, also if the library had a user of that name before.
CREATE OR REPLACE FUNCTION archives_user_records(ids bigint[])
RETURNS TABLE (place bigint, number bigint, user_id uuid, made_here boolean, record jsonb) LANGUAGE sql STABLE AS $$
  SELECT a.place, n.id, n.user_id, n.made_here, jsonb_strip_nulls(
    n.profile || jsonb_build_object(
      'jsonmodel_type', 'user', 'uri', '/users/' || n.id, 'lock_version', n.lock_version,
      'username', lower(u.doc->>'username'), 'name', s.name, 'source', 'local',
      'is_system_user', n.is_system OR lower(u.doc->>'username') = 'admin', 'is_hidden_user', n.is_hidden,
      'is_active_user', coalesce((u.doc->>'active')::boolean, false),
      'email', u.doc#>>'{personal,email}', 'first_name', u.doc#>>'{personal,firstName}',
      'last_name', nullif(u.doc#>>'{personal,lastName}', s.name), 'telephone', u.doc#>>'{personal,phone}',
      'agent_record', CASE WHEN n.agent IS NOT NULL THEN
         jsonb_build_object('ref', archival_uri('agent_person', NULL, n.agent)) END,
      'is_admin', EXISTS (
        SELECT FROM archives_group_member m JOIN archival_key k ON k.kind = 'group' AND k.id = m.group_id
        WHERE m.user_id = n.user_id AND k.scope = 'group/1/group_code' AND k.value = 'administrators'),
      'create_time', archival_time(n.created), 'user_mtime', archival_time(n.changed),
      'system_mtime', archival_time(n.changed), 'groups', '[]'::jsonb))
  FROM unnest(ids) WITH ORDINALITY AS a (id, place)
  JOIN archives_user n ON n.id = a.id
  JOIN users u ON u.id = n.user_id
  CROSS JOIN LATERAL (SELECT archives_user_name(n.profile, u.doc) AS name) s
$$;

-- What a user prefers, and what is preferred for all.
CREATE OR REPLACE FUNCTION archives_preferences(of_number bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_build_object('repository', p.repository, 'is_own', p.doc ? 'user_id', 'defaults', p.doc->'defaults'))
  FROM archival_record p
  WHERE p.kind = 'preference' AND (NOT p.doc ? 'user_id' OR (p.doc->>'user_id')::bigint = of_number)
$$;

-- What the groups of a user grant: codes by repository.
CREATE OR REPLACE FUNCTION archives_grants(of_user uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_build_object('repository', coalesce(g.repository, 1), 'codes', g.doc->'grants_permissions'))
  FROM archives_group_member m JOIN archival_record g ON g.kind = 'group' AND g.id = m.group_id
  WHERE m.user_id = of_user
$$;
