-- Writes users and groups of the archives. A write that cannot be made returns why and writes nothing.

-- Makes members of a group of users of the library, whom the archives number when they first hear of them.
CREATE OR REPLACE FUNCTION join_archives_groups(users uuid[], groups bigint[], at timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO archives_user (user_id, created, changed) SELECT n, at, at FROM unnest(users) n ORDER BY n ON CONFLICT (user_id) DO NOTHING;
  INSERT INTO archives_group_member (group_id, user_id) SELECT g, n FROM unnest(users) n, unnest(groups) g
  ON CONFLICT DO NOTHING
$$;

-- Makes a user an administrator of the archives, or no longer one.
CREATE OR REPLACE FUNCTION set_archives_administrator(of_user uuid, granted boolean, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  administrators bigint := (SELECT k.id FROM archival_key k WHERE k.scope = 'group/1/group_code' AND k.value = 'administrators');
BEGIN
  IF granted THEN
    PERFORM join_archives_groups(ARRAY[of_user], ARRAY[administrators], at);
  ELSE
    DELETE FROM archives_group_member m WHERE m.user_id = of_user AND m.group_id = administrators;
  END IF;
END $$;

-- Adds a group, a record as add_archival takes it, or with an id replaces that of the version that the client read; with null
-- members those stay. Also returns {"unknown": [user name]}.
-- Statement: SELECT write_archives_group($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION write_archives_group(
  entry jsonb, of_id bigint, version int, members text[], who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  unknown jsonb;
  written jsonb;
  found uuid[];
BEGIN
  SELECT jsonb_agg(m.name ORDER BY m.place) FILTER (WHERE u.id IS NULL), array_agg(u.id) FILTER (WHERE u.id IS NOT NULL)
  INTO unknown, found
  FROM unnest(members) WITH ORDINALITY AS m (name, place)
  LEFT JOIN users u ON carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key(m.name);
  IF unknown IS NOT NULL THEN
    RETURN jsonb_build_object('unknown', unknown);
  END IF;
  IF of_id IS NULL THEN
    written := add_archival(jsonb_build_array(entry), who, at);
    of_id := (written#>>'{ids,0}')::bigint;
  ELSE
    written := change_archival('group', of_id, (entry->>'repository')::bigint, version, entry->'doc', entry->'keys',
                               entry->'refs', NULL, who, at);
  END IF;
  IF members IS NOT NULL AND (written ? 'ids' OR written ? 'lock_version') THEN
    DELETE FROM archives_group_member m WHERE m.group_id = of_id;
    PERFORM join_archives_groups(coalesce(found, '{}'), ARRAY[of_id], at);
  END IF;
  RETURN written;
END $$;

-- Adds a user: the record of the library's user with the digest of a password, what only the archives know, and the agent
-- as add_archival takes it. Returns what add_archival refuses, or the user's number.
-- Statement: SELECT add_archives_user($1, $2, $3, $4, $5, $6, $7, $8)
CREATE OR REPLACE FUNCTION add_archives_user(
  new jsonb, hash text, profile jsonb, agent jsonb, groups bigint[], is_admin boolean, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  of_user uuid := (new->>'id')::uuid;
  written jsonb;
  number bigint;
BEGIN
  INSERT INTO users (id, doc) VALUES (of_user, new);
  INSERT INTO credential (user_id, hash) VALUES (of_user, add_archives_user.hash);
  written := add_archival(jsonb_build_array(agent), who, at);
  IF NOT written ? 'ids' THEN
    RAISE unique_violation USING MESSAGE = 'The agent of a new user was refused';
  END IF;
  INSERT INTO archives_user (user_id, created, changed, profile, made_here, agent)
  VALUES (of_user, at, at, add_archives_user.profile, true, (written#>>'{ids,0}')::bigint) RETURNING id INTO number;
  PERFORM join_archives_groups(ARRAY[of_user], groups, at);
  IF is_admin THEN
    PERFORM set_archives_administrator(of_user, true, at);
  END IF;
  RETURN jsonb_build_object('id', number);
END $$;

-- Adds one of the users that the archives start with to a group of the whole system: the record of the library's user;
-- the digest of the password and the agent as add_archival takes it, null without. Returns whether it was added: a user
-- of that name stays as it is.
-- Statement: SELECT add_archives_system_user($1, $2, $3, $4, $5, $6, $7)
CREATE OR REPLACE FUNCTION add_archives_system_user(
  new jsonb, hash text, profile jsonb, agent jsonb, group_code text, hidden boolean, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  of_user uuid := (new->>'id')::uuid;
  of_group bigint := (SELECT k.id FROM archival_key k WHERE k.scope = 'group/1/group_code' AND k.value = group_code);
  of_agent bigint;
BEGIN
  IF EXISTS (SELECT FROM users u
             WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key(new->>'username')) THEN
    RETURN false;
  END IF;
  INSERT INTO users (id, doc) VALUES (of_user, new);
  IF hash IS NOT NULL THEN
    INSERT INTO credential (user_id, hash) VALUES (of_user, add_archives_system_user.hash);
  END IF;
  IF agent IS NOT NULL THEN
    of_agent := (add_archival(jsonb_build_array(agent), 'admin', at)#>>'{ids,0}')::bigint;
  END IF;
  INSERT INTO archives_user (user_id, created, changed, profile, made_here, agent, is_system, is_hidden)
  VALUES (of_user, at, at, add_archives_system_user.profile, true, of_agent, true, hidden);
  -- Somebody may have deleted the group.
  IF of_group IS NOT NULL THEN
    PERFORM join_archives_groups(ARRAY[of_user], ARRAY[of_group], at);
  END IF;
  RETURN true;
END $$;

-- Changes a user of the version that the client read: members of the library's record, what only the archives know, and
-- with a value whether they administer the archives. Returns {"gone": true}, {"stale": true} or the new version.
-- Statement: SELECT change_archives_user($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION change_archives_user(
  of_id bigint, version int, changed jsonb, new_profile jsonb, is_admin boolean, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  found archives_user;
BEGIN
  SELECT * INTO found FROM archives_user n WHERE n.id = of_id FOR UPDATE;
  IF found.id IS NULL THEN
    RETURN '{"gone": true}';
  ELSIF found.lock_version <> version THEN
    RETURN '{"stale": true}';
  END IF;
  UPDATE users u
  SET doc = u.doc || changed
      || jsonb_build_object('personal', jsonb_strip_nulls(coalesce(u.doc->'personal', '{}') || (changed->'personal')))
  WHERE u.id = found.user_id;
  UPDATE archives_user n SET profile = new_profile, lock_version = n.lock_version + 1, changed = at WHERE n.id = of_id;
  IF is_admin IS NOT NULL THEN
    PERFORM set_archives_administrator(found.user_id, is_admin, at);
  END IF;
  RETURN jsonb_build_object('lock_version', version + 1);
END $$;

-- Adds a user to groups, after taking the user out of all groups of a repository. Returns whether there is such a user.
-- Statement: SELECT set_archives_groups($1, $2, $3, $4)
CREATE OR REPLACE FUNCTION set_archives_groups(of_id bigint, of_repository bigint, groups bigint[], at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  of_user uuid := (SELECT n.user_id FROM archives_user n WHERE n.id = of_id);
BEGIN
  IF of_user IS NULL THEN
    RETURN false;
  END IF;
  DELETE FROM archives_group_member m USING archival_record g
  WHERE m.user_id = of_user AND g.kind = 'group' AND g.id = m.group_id AND g.repository = of_repository;
  PERFORM join_archives_groups(ARRAY[of_user], groups, at);
  RETURN true;
END $$;

-- Takes a user out of the archives: their number, memberships and sessions.
-- Statement: SELECT remove_archives_user($1)
CREATE OR REPLACE FUNCTION remove_archives_user(of_user uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM archives_session s WHERE s.user_id = of_user;
  DELETE FROM archives_group_member m WHERE m.user_id = of_user;
  DELETE FROM archives_user n WHERE n.user_id = of_user
$$;

-- Lets a user of the library sign in, or no longer. $3 is the time as records have it.
-- Statement: SELECT activate_user($1, $2, $3)
CREATE OR REPLACE FUNCTION activate_user(of_user uuid, active boolean, at text) RETURNS void LANGUAGE sql AS $$
  UPDATE users u SET doc = u.doc || jsonb_build_object('active', active, 'updatedDate', at) WHERE u.id = of_user
$$;
