-- Writes value lists of the archives. A write that cannot be made returns why and writes nothing: {"gone": true},
-- {"stale": true}, {"taken": true}.

-- Writes the lists that a library starts with, [{name, editable, default, values: [{value, readonly}]}], unless it has lists.
-- Statement: SELECT begin_value_lists($1, $2)
CREATE OR REPLACE FUNCTION begin_value_lists(lists jsonb, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE archival_value_list IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM archival_value_list) THEN
    RETURN;
  END IF;
  INSERT INTO archival_value_list (name, editable, default_value, created_by, last_modified_by, create_time, user_mtime)
  SELECT l->>'name', (l->>'editable')::boolean, l->>'default', 'admin', 'admin', at, at
  FROM jsonb_array_elements(lists) WITH ORDINALITY AS e (l, n) ORDER BY n;
  INSERT INTO archival_listed_value
    (list, value, position, readonly, created_by, last_modified_by, create_time, user_mtime)
  SELECT s.id, v->>'value', row_number() OVER (PARTITION BY s.id ORDER BY m) - 1, (v->>'readonly')::boolean,
         'admin', 'admin', at, at
  FROM jsonb_array_elements(lists) l
  JOIN archival_value_list s ON s.name = l->>'name',
  jsonb_array_elements(l->'values') WITH ORDINALITY AS e (v, m)
  ORDER BY s.id, m;
END $$;

-- Adds values to the end of lists, [{list, value}]: those that the lists do not have yet.
-- Statement: SELECT add_listed_values($1, $2, $3)
CREATE OR REPLACE FUNCTION add_listed_values(added jsonb, who text, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that clients that add to the same lists wait for each other in turn.
  PERFORM FROM archival_value_list l
  WHERE l.name IN (SELECT n->>'list' FROM jsonb_array_elements(added) n) ORDER BY l.id FOR NO KEY UPDATE;
  INSERT INTO archival_listed_value (list, value, position, created_by, last_modified_by, create_time, user_mtime)
  SELECT l.id, n.value,
         (SELECT coalesce(max(v.position) + 1, 0) FROM archival_listed_value v WHERE v.list = l.id)
         + row_number() OVER (PARTITION BY l.id ORDER BY n.place) - 1, who, who, at, at
  FROM (SELECT e.n->>'list' AS list, e.n->>'value' AS value, min(e.place) AS place
        FROM jsonb_array_elements(added) WITH ORDINALITY AS e (n, place) GROUP BY 1, 2) n
  JOIN archival_value_list l ON l.name = n.list
  WHERE NOT EXISTS (SELECT FROM archival_listed_value v WHERE v.list = l.id AND v.value = n.value);
END $$;

-- Numbers the values of a list without gaps, in their order.
CREATE OR REPLACE FUNCTION renumber_listed_values(of_list bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE archival_listed_value v SET position = o.place
  FROM (SELECT o.id, row_number() OVER (ORDER BY o.position) - 1 AS place
        FROM archival_listed_value o WHERE o.list = of_list) o
  WHERE v.id = o.id AND v.position <> o.place
$$;

-- Adds an editable list.
-- Statement: SELECT add_value_list($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION add_value_list(of_name text, listed text[], usual text, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  new_id bigint;
BEGIN
  INSERT INTO archival_value_list (name, editable, default_value, created_by, last_modified_by, create_time, user_mtime)
  VALUES (of_name, true, CASE WHEN usual = ANY (listed) THEN usual END, who, who, at, at)
  ON CONFLICT (name) DO NOTHING RETURNING id INTO new_id;
  IF new_id IS NULL THEN
    RETURN '{"taken": true}';
  END IF;
  PERFORM add_listed_values(
    (SELECT jsonb_agg(jsonb_build_object('list', of_name, 'value', v) ORDER BY n) FROM unnest(listed) WITH ORDINALITY AS e (v, n)),
    who, at);
  RETURN jsonb_build_object('id', new_id);
END $$;

-- Gives a list of the version that the client read these values, with its suppressed ones beside them, and a default value.
-- Statement: SELECT change_value_list($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION change_value_list(
  of_id bigint, version int, listed text[], usual text, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  found archival_value_list;
BEGIN
  SELECT * INTO found FROM archival_value_list l WHERE l.id = of_id FOR NO KEY UPDATE;
  IF found.id IS NULL THEN
    RETURN '{"gone": true}';
  ELSIF found.lock_version <> version THEN
    RETURN '{"stale": true}';
  END IF;
  DELETE FROM archival_listed_value v WHERE v.list = of_id AND NOT v.suppressed AND NOT v.readonly AND v.value <> ALL (listed);
  PERFORM renumber_listed_values(of_id);
  PERFORM add_listed_values(
    (SELECT jsonb_agg(jsonb_build_object('list', found.name, 'value', v) ORDER BY n)
     FROM unnest(listed) WITH ORDINALITY AS e (v, n)), who, at);
  UPDATE archival_value_list l
  SET lock_version = l.lock_version + 1, last_modified_by = who, user_mtime = at,
      -- A value that is not there is no default.
      default_value = (SELECT v.value FROM archival_listed_value v WHERE v.list = of_id AND v.value = usual)
  WHERE l.id = of_id;
  RETURN jsonb_build_object('lock_version', version + 1);
END $$;

-- Removes a value from its list; what records have it is changed before.
-- Statement: SELECT drop_listed_value($1, $2)
CREATE OR REPLACE FUNCTION drop_listed_value(of_list bigint, of_value text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM archival_listed_value v WHERE v.list = of_list AND v.value = of_value;
  UPDATE archival_value_list l SET default_value = NULL WHERE l.id = of_list AND l.default_value = of_value;
  SELECT renumber_listed_values(of_list)
$$;

-- Changes a value of the version that the client read; with a null value its place or whether it is suppressed, whatever
-- its version. It swaps places with the value that has the place; past the end is the end. Returns its new version.
-- Statement: SELECT change_listed_value($1, $2, $3, $4, $5, $6, $7)
CREATE OR REPLACE FUNCTION change_listed_value(
  of_id bigint, version int, new_value text, place int, hidden boolean, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  found archival_listed_value;
  target int;
BEGIN
  PERFORM FROM archival_value_list l
  WHERE l.id = (SELECT v.list FROM archival_listed_value v WHERE v.id = of_id) FOR NO KEY UPDATE;
  SELECT * INTO found FROM archival_listed_value v WHERE v.id = of_id;
  IF found.id IS NULL THEN
    RETURN '{"gone": true}';
  ELSIF found.lock_version <> version THEN
    RETURN '{"stale": true}';
  ELSIF EXISTS (SELECT FROM archival_listed_value v WHERE v.list = found.list AND v.value = new_value AND v.id <> of_id) THEN
    RETURN '{"taken": true}';
  END IF;
  IF place IS NOT NULL THEN
    target := least(greatest(place, 0),
                    (SELECT max(v.position) FROM archival_listed_value v WHERE v.list = found.list));
  END IF;
  UPDATE archival_value_list l SET default_value = new_value
  WHERE l.id = found.list AND l.default_value = found.value AND new_value IS NOT NULL;
  UPDATE archival_listed_value v SET position = found.position
  WHERE v.list = found.list AND v.position = target AND v.id <> of_id;
  UPDATE archival_listed_value v
  SET value = coalesce(new_value, v.value), position = coalesce(target, v.position),
      suppressed = coalesce(hidden, v.suppressed), lock_version = v.lock_version + (version IS NOT NULL)::int,
      last_modified_by = who, user_mtime = at
  WHERE v.id = of_id RETURNING * INTO found;
  RETURN jsonb_build_object('lock_version', found.lock_version);
END $$;

-- Replaces documents of records with their keys, because a value was moved to another: [{kind, id, doc, keys}]. `of_role` and
-- `to_role` are set if the value can be a role of references.
-- Statement: SELECT rewrite_archival($1, $2, $3, $4)
CREATE OR REPLACE FUNCTION rewrite_archival(records jsonb, of_role text, to_role text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
  new_keys jsonb;
BEGIN
  PERFORM FROM jsonb_array_elements(records) n
  JOIN archival_record r ON r.kind = n->>'kind' AND r.id = (n->>'id')::bigint ORDER BY r.kind, r.id FOR NO KEY UPDATE OF r;
  SELECT jsonb_agg(jsonb_build_object('kind', n->'kind', 'id', n->'id', 'keys',
           archival_needed_keys(n->>'kind', (n->>'id')::bigint, n->'keys') || archival_management_key(n->'doc')))
  INTO new_keys FROM jsonb_array_elements(records) n;
  SELECT jsonb_agg(key) INTO refused
  FROM jsonb_array_elements(new_keys) n,
       jsonb_array_elements(archival_taken(n->'keys', n->>'kind', (n->>'id')::bigint)) key;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  DELETE FROM archival_key k USING jsonb_array_elements(records) n WHERE k.kind = n->>'kind' AND k.id = (n->>'id')::bigint;
  INSERT INTO archival_key (scope, value, kind, id)
  SELECT k->>'scope', k->>'value', n->>'kind', (n->>'id')::bigint
  FROM jsonb_array_elements(new_keys) n, jsonb_array_elements(n->'keys') k;
  UPDATE archival_record r SET doc = n->'doc', system_mtime = at
  FROM jsonb_array_elements(records) n WHERE r.kind = n->>'kind' AND r.id = (n->>'id')::bigint;
  IF of_role IS NOT NULL THEN
    WITH moved AS (
      DELETE FROM archival_reference x USING jsonb_array_elements(records) n
      WHERE x.kind = n->>'kind' AND x.id = (n->>'id')::bigint AND x.role = of_role
      RETURNING x.kind, x.id, x.repository, x.property, x.target_kind, x.target_id)
    INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
    SELECT m.kind, m.id, m.repository, m.property, to_role, m.target_kind, m.target_id FROM moved m ON CONFLICT DO NOTHING;
  END IF;
  RETURN '{}';
END $$;

-- Notes that values leave a list, with where records have values of it: [{kind, path}]. Forgets what left long ago.
-- Statement: SELECT begin_to_leave($1, $2, $3)
CREATE OR REPLACE FUNCTION begin_to_leave(of_list text, leaving text[], places jsonb) RETURNS void LANGUAGE sql AS $$
  DELETE FROM archival_leaving_value l WHERE l.at < now() - interval '1 day';
  INSERT INTO archival_leaving_value (list, value, kind, path, at)
  SELECT DISTINCT of_list, v, p->>'kind', p->>'path', now() FROM unnest(leaving) v, jsonb_array_elements(places) p
  ON CONFLICT (list, value, kind, path) DO UPDATE SET at = excluded.at
$$;

-- The values stay in the list.
-- Statement: SELECT stay_listed($1, $2)
CREATE OR REPLACE FUNCTION stay_listed(of_list text, staying text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM archival_leaving_value l WHERE l.list = of_list AND l.value = ANY (staying)
$$;
