-- Writes records of the archives with their keys, references and places in trees (decision 40). A write that cannot be
-- made returns why and writes nothing: {"missing": [uri]}, {"taken": [{scope, at, uri}]} and what change_archival adds.

-- The distance of ranks: twenty nodes fit before a node, one after the other at the same place, until ranks are spread
-- again.
CREATE OR REPLACE FUNCTION archival_step() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 1048576::bigint $$;

-- References to records that do not exist, or are of another repository than `within`, as addresses in the order in which they
-- are named. The others can neither be deleted nor moved to another repository before the end of the transaction: foreign keys
-- would not notice the second.
CREATE OR REPLACE FUNCTION archival_missing(refs jsonb, within bigint) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  WITH named AS MATERIALIZED (
    SELECT n->>'kind' AS kind, (n->>'id')::bigint AS id, n->>'uri' AS uri, min(place) AS place
    FROM jsonb_array_elements(refs) WITH ORDINALITY AS entry (n, place) GROUP BY 1, 2, 3),
  -- What is at the top of a tree comes before its nodes, as wherever several records are locked.
  held AS MATERIALIZED (
    SELECT r.kind, r.id
    FROM (SELECT DISTINCT named.kind, named.id FROM named) n JOIN archival_record r ON r.kind = n.kind AND r.id = n.id
    WHERE r.repository <> within IS NOT TRUE
    ORDER BY r.root IS NOT NULL, r.kind, r.id FOR KEY SHARE OF r)
  SELECT jsonb_agg(n.uri ORDER BY n.place) FROM named n LEFT JOIN held h ON h.kind = n.kind AND h.id = n.id
  WHERE h.id IS NULL
$$;

-- Keys that other records have, with the current ARKs of those.
CREATE OR REPLACE FUNCTION archival_taken(keys jsonb, of text, of_id bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_build_object(
    'scope', k.scope, 'kind', k.kind, 'id', k.id, 'uri', archival_uri(r.kind, r.repository, r.id), 'at', n->>'at',
    'ark', r.doc#>'{ark_name,current}'))
  FROM jsonb_array_elements(keys) n
  JOIN archival_key k ON k.scope = n->>'scope' AND k.value = n->>'value' AND (k.kind, k.id) IS DISTINCT FROM (of, of_id)
  JOIN archival_record r ON r.kind = k.kind AND r.id = k.id
$$;

-- Locks what orders the children of nodes: the parent or, at the first level, the record at the top of the tree.
CREATE OR REPLACE FUNCTION lock_archival_parents(kinds text[], ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM unnest(kinds, ids) AS a (kind, id) JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  ORDER BY r.kind, r.id FOR NO KEY UPDATE OF r;
END $$;

-- Locks trees that nodes move between: nobody adds to them meanwhile.
CREATE OR REPLACE FUNCTION lock_archival_trees(of text, roots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM archival_record r WHERE r.kind = of AND r.id = ANY (roots) ORDER BY r.id FOR UPDATE;
END $$;

-- Adds records: [{kind, repository, doc, root_kind, root, parent, keys: [{scope, value, at}],
-- refs: [{property, role, kind, id, uri}], needs: refs that are kept in columns}]. Nodes of trees come after their
-- siblings, in the order of the list.
-- Statement: SELECT add_archival($1, $2, $3)
CREATE OR REPLACE FUNCTION add_archival(records jsonb, who text, at timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
  ids bigint[];
BEGIN
  SELECT jsonb_agg(uri) INTO refused
  FROM jsonb_array_elements(records) r,
       jsonb_array_elements(archival_missing((r->'refs') || (r->'needs'), (r->>'repository')::bigint)) uri;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  -- A parent must be in the same tree.
  SELECT jsonb_agg(n->>'uri') INTO refused
  FROM jsonb_array_elements(records) r, jsonb_array_elements(r->'needs') n, archival_record p
  WHERE n->>'kind' = r->>'kind' AND p.kind = n->>'kind' AND p.id = (n->>'id')::bigint
    AND p.root <> (r->>'root')::bigint;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  SELECT jsonb_agg(key) INTO refused
  FROM jsonb_array_elements(records) r, jsonb_array_elements(archival_taken(r->'keys', NULL, NULL)) key;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  PERFORM lock_archival_parents(
    array_agg(CASE WHEN r->'parent' IS NULL THEN r->>'root_kind' ELSE r->>'kind' END),
    array_agg(coalesce(r->>'parent', r->>'root')::bigint))
  FROM jsonb_array_elements(records) r WHERE r ? 'root';
  WITH new AS (
    SELECT n, nextval(('archival_id_' || (r->>'kind'))::regclass) AS id, r->>'kind' AS kind,
           (r->>'repository')::bigint AS repository, archival_slugged(archival_managed(r->'doc', (r->>'repository')::bigint), NULL) AS doc, r->>'root_kind' AS root_kind,
           (r->>'root')::bigint AS root, (r->>'parent')::bigint AS parent, r->'keys' AS keys, r->'refs' AS refs
    FROM jsonb_array_elements(records) WITH ORDINALITY AS entry (r, n) ORDER BY n),
  last AS MATERIALIZED (
    SELECT s.kind, s.root, s.parent, last_archival_rank(s.kind, s.root, s.parent) AS rank
    FROM (SELECT DISTINCT new.kind, new.root, new.parent FROM new WHERE new.root IS NOT NULL) s),
  added AS (
    INSERT INTO archival_record (kind, id, repository, doc, publish, created_by, last_modified_by, create_time,
                                 user_mtime, system_mtime, root_kind, root, parent, rank)
    SELECT new.kind, new.id, new.repository, new.doc, coalesce((new.doc->>'publish')::boolean, false), who, who, at, at,
           at, new.root_kind, new.root, new.parent,
           last.rank + archival_step() * row_number() OVER (PARTITION BY new.kind, new.root, new.parent ORDER BY new.n)
    FROM new LEFT JOIN last
      ON last.kind = new.kind AND last.root = new.root AND last.parent IS NOT DISTINCT FROM new.parent),
  keyed AS (
    INSERT INTO archival_key (scope, value, kind, id)
    SELECT k->>'scope', k->>'value', new.kind, new.id 
    FROM new, jsonb_array_elements(new.keys || archival_management_key(new.doc)) k),
  referred AS (
    INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
    SELECT DISTINCT new.kind, new.id, coalesce(new.repository, 0), f->>'property', coalesce(f->>'role', ''), f->>'kind', (f->>'id')::bigint
    FROM new, jsonb_array_elements(new.refs) f)
  SELECT array_agg(new.id ORDER BY new.n) INTO ids FROM new;
  IF records @? '$[*].refs[*] ? (@.property == "related_resources" || @.property == "related_accessions"
      || @.property == "component_links" || @.property == "accession_links" || @.property == "linked_records"
      || @.property == "classifications" || @.property == "related_agents")' THEN
    PERFORM mirror_archival(array_agg(r->>'kind' ORDER BY n), ids, at)
    FROM jsonb_array_elements(records) WITH ORDINALITY AS entry (r, n);
  END IF;
  PERFORM touch_around_archival(array_agg(r->>'kind' ORDER BY n), ids, false, at)
  FROM jsonb_array_elements(records) WITH ORDINALITY AS entry (r, n);
  RETURN jsonb_build_object('ids', ids);
END $$;

-- The highest rank among the children of a node, or at the first level; 0 without any.
CREATE OR REPLACE FUNCTION last_archival_rank(of text, of_root bigint, of_parent bigint)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF of_parent IS NULL THEN
    -- The null parent is in the order, too: otherwise PostgreSQL sorts all siblings.
    RETURN coalesce((SELECT s.rank FROM archival_record s WHERE s.kind = of AND s.root = of_root AND s.parent IS NULL
                     ORDER BY s.parent DESC, s.rank DESC LIMIT 1), 0);
  END IF;
  RETURN coalesce((SELECT s.rank FROM archival_record s WHERE s.kind = of AND s.root = of_root AND s.parent = of_parent
                   ORDER BY s.rank DESC LIMIT 1), 0);
END $$;

-- Keys that are unique within a tree have scopes that begin with this, and none of them is after the other: an index reads just
-- those of one tree.
CREATE OR REPLACE FUNCTION archival_tree_scopes(of text, of_root bigint, OUT first text, OUT after text)
LANGUAGE sql IMMUTABLE AS $$
  -- '0' follows '/'.
  SELECT of || '/' || of_root || '/', of || '/' || of_root || '0'
$$;

-- Moves a node with all below it to another tree: it comes after the children of a node there, or last at the first level.
CREATE OR REPLACE FUNCTION move_archival_tree(of text, of_id bigint, to_root bigint, to_parent bigint, at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  below bigint[] := ARRAY(SELECT s.id FROM archival_subtree(of, of_id) s);
  last bigint := last_archival_rank(of, to_root, to_parent);
  from_root bigint := (SELECT r.root FROM archival_record r WHERE r.kind = of AND r.id = of_id);
  here record := archival_tree_scopes(of, from_root);
  there record := archival_tree_scopes(of, to_root);
BEGIN
  UPDATE archival_record r
  SET root = to_root, parent = CASE WHEN r.id = of_id THEN to_parent ELSE r.parent END, system_mtime = at,
      rank = CASE WHEN r.id = of_id THEN last + archival_step() ELSE r.rank END
  WHERE r.kind = of AND r.id = ANY (below);
  UPDATE archival_key k SET scope = there.first || substr(k.scope, length(here.first) + 1)
  WHERE k.scope >= here.first AND k.scope < here.after AND k.kind = of AND k.id = ANY (below) AND k.id <> of_id;
END $$;

-- The keys of a record without those that it does not need to have: the agent of a user may have the name of another.
CREATE OR REPLACE FUNCTION archival_needed_keys(of text, of_id bigint, keys jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN of = 'agent_person'
      AND EXISTS (SELECT FROM archives_user u WHERE u.agent_kind = of AND u.agent = of_id)
    THEN jsonb_path_query_array(keys, '$[*] ? (@.scope != "agent_person/identity")')
    ELSE keys END
$$;

-- Replaces a record of the version that the client read; a node whose record names another tree moves there, with all below
-- it. `tree` is the reference to the record at the top, null outside trees, with that to the node above as `parent`: in
-- its own tree a node stays where it is. Also returns {"gone": true}, {"suppressed": true} and {"stale": true}.
-- Statement: SELECT change_archival($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
CREATE OR REPLACE FUNCTION change_archival(
  of text, of_id bigint, within bigint, version int, new_doc jsonb, keys jsonb, refs jsonb, tree jsonb, who text,
  at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  found archival_record;
  root bigint;
  above jsonb;
  refused jsonb;
BEGIN
  IF tree IS NOT NULL THEN
    -- As for other moves, the record at the top is locked before its nodes.
    SELECT r.root INTO root FROM archival_record r
    WHERE r.kind = of AND r.id = of_id AND r.root <> (tree->>'id')::bigint;
    IF root IS NOT NULL THEN
      PERFORM lock_archival_trees(tree->>'kind', ARRAY[root, (tree->>'id')::bigint]);
    END IF;
  END IF;
  PERFORM lock_archival_related(of, of_id, refs, tree);
  SELECT * INTO found FROM archival_record r
  WHERE r.kind = of AND r.id = of_id AND r.repository IS NOT DISTINCT FROM within FOR NO KEY UPDATE;
  IF found.id IS NULL THEN
    RETURN '{"gone": true}';
  END IF;
  IF found.suppressed THEN
    RETURN '{"suppressed": true}';
  END IF;
  IF found.lock_version <> version THEN
    RETURN '{"stale": true}';
  END IF;
  IF (tree->>'id')::bigint <> found.root THEN
    above := tree->'parent';
  END IF;
  refused := archival_missing(refs || to_jsonb(array_remove(ARRAY[tree, above], NULL)), within);
  IF refused IS NULL AND above IS NOT NULL AND NOT EXISTS (
    SELECT FROM archival_record p
    WHERE p.kind = of AND p.id = (above->>'id')::bigint AND p.root = (tree->>'id')::bigint) THEN
    refused := jsonb_build_array(above->'uri');
  END IF;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  keys := archival_needed_keys(of, of_id, keys);
  refused := archival_taken(keys, of, of_id);
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  new_doc := archival_slugged(archival_managed(new_doc, within), found.doc->>'slug');
  keys := keys || archival_management_key(new_doc);
  UPDATE archival_record r
  SET doc = new_doc, publish = coalesce((new_doc->>'publish')::boolean, false), lock_version = r.lock_version + 1,
      last_modified_by = who, user_mtime = at, system_mtime = at
  WHERE r.kind = of AND r.id = of_id;
  IF (tree->>'id')::bigint <> found.root THEN
    PERFORM touch_around_archival(ARRAY[of], ARRAY[of_id], true, at);
    PERFORM move_archival_tree(of, of_id, (tree->>'id')::bigint, (above->>'id')::bigint, at);
  END IF;
  DELETE FROM archival_key k
  WHERE k.kind = of AND k.id = of_id
    AND NOT EXISTS (SELECT FROM jsonb_array_elements(keys) n WHERE n->>'scope' = k.scope AND n->>'value' = k.value);
  INSERT INTO archival_key (scope, value, kind, id)
  SELECT n->>'scope', n->>'value', of, of_id FROM jsonb_array_elements(keys) n
  WHERE NOT EXISTS (SELECT FROM archival_key k WHERE k.scope = n->>'scope' AND k.value = n->>'value');
  DELETE FROM archival_reference x
  WHERE x.kind = of AND x.id = of_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(refs) n
    WHERE n->>'property' = x.property AND coalesce(n->>'role', '') = x.role
      AND n->>'kind' = x.target_kind AND (n->>'id')::bigint = x.target_id);
  INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
  SELECT DISTINCT of, of_id, coalesce(within, 0), n->>'property', coalesce(n->>'role', ''), n->>'kind', (n->>'id')::bigint
  FROM jsonb_array_elements(refs) n
  ON CONFLICT DO NOTHING;
  PERFORM mirror_archival(ARRAY[of], ARRAY[of_id], at);
  PERFORM touch_around_archival(ARRAY[of], ARRAY[of_id], archival_shown(found.doc) <> archival_shown(new_doc), at);
  RETURN jsonb_build_object('lock_version', version + 1);
END $$;

-- The scope of a key that is unique among the children of a node, below another node.
CREATE OR REPLACE FUNCTION archival_level_scope(scope text, parent bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(scope, '^([^/]+/[0-9]+/)[0-9]+/', '\1' || coalesce(parent, 0) || '/')
$$;

-- Moves nodes of a tree to a slot (from 0) among the children of a node, or of the first level, in the order of the list.
-- A slot past the end is the end. Also returns {"gone": true} if one of them is not in that tree, {"cycle": true}, and like
-- change_archival if a term would have the name of a sibling.
-- Statement: SELECT place_archival($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION place_archival(
  of text, moved bigint[], of_root bigint, to_parent bigint, slot bigint, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  top text;
  before_rank bigint;
  after_rank bigint;
  many bigint := cardinality(moved);
  refused jsonb;
BEGIN
  SELECT r.root_kind INTO top FROM archival_record r WHERE r.kind = of AND r.root = of_root LIMIT 1;
  -- The record at the top orders all moves in its tree, so that two of them cannot make a circle.
  PERFORM lock_archival_parents(ARRAY[top], ARRAY[of_root]);
  IF (SELECT count(*) FROM archival_record r WHERE r.kind = of AND r.root = of_root AND r.id = ANY (moved)) <> many
     OR to_parent IS NOT NULL AND NOT EXISTS (
       SELECT FROM archival_record r WHERE r.kind = of AND r.root = of_root AND r.id = to_parent) THEN
    RETURN '{"gone": true}';
  END IF;
  IF EXISTS (
    WITH RECURSIVE up (id) AS (
      SELECT to_parent
      UNION ALL
      SELECT p.parent FROM up JOIN archival_record p ON p.kind = of AND p.id = up.id WHERE p.parent IS NOT NULL)
    SELECT FROM up WHERE up.id = ANY (moved)) THEN
    RETURN '{"cycle": true}';
  END IF;
  IF of = 'classification_term' THEN
    SELECT jsonb_agg(jsonb_build_object('scope', k.scope)) INTO refused
    FROM archival_key m
    JOIN archival_key k ON k.scope = archival_level_scope(m.scope, to_parent) AND k.value = m.value AND k.id <> m.id
    WHERE m.kind = of AND m.id = ANY (moved);
    IF refused IS NOT NULL THEN
      RETURN jsonb_build_object('taken', refused);
    END IF;
    UPDATE archival_key m SET scope = archival_level_scope(m.scope, to_parent) WHERE m.kind = of AND m.id = ANY (moved);
  END IF;
  SELECT max(s.rank) FILTER (WHERE s.n <= slot), min(s.rank) FILTER (WHERE s.n > slot) INTO before_rank, after_rank
  FROM archival_neighbours(of, of_root, to_parent, moved, slot) s;
  IF before_rank IS NULL AND after_rank IS NULL AND slot > 0 THEN
    before_rank := last_archival_rank(of, of_root, to_parent);
  END IF;
  IF after_rank IS NULL THEN
    UPDATE archival_record r
    SET parent = to_parent, rank = coalesce(before_rank, 0) + archival_step() * m.n, system_mtime = at
    FROM unnest(moved) WITH ORDINALITY AS m (id, n) WHERE r.kind = of AND r.id = m.id;
  ELSIF after_rank - coalesce(before_rank, 0) > many THEN
    UPDATE archival_record r
    SET parent = to_parent, system_mtime = at,
        rank = coalesce(before_rank, 0) + (after_rank - coalesce(before_rank, 0)) * m.n / (many + 1)
    FROM unnest(moved) WITH ORDINALITY AS m (id, n) WHERE r.kind = of AND r.id = m.id;
  ELSE
    UPDATE archival_record r
    SET parent = to_parent, rank = o.rank, system_mtime = CASE WHEN o.is_moved THEN at ELSE r.system_mtime END
    FROM (
      SELECT a.id, a.is_moved, archival_step() * row_number() OVER (ORDER BY a.slot, a.is_moved, a.n) AS rank
      FROM (
        SELECT s.id, false AS is_moved, CASE WHEN s.n <= slot THEN 0 ELSE 1 END AS slot, s.n
        FROM archival_neighbours(of, of_root, to_parent, moved, NULL) s
        UNION ALL
        SELECT m.id, true, 0, m.n FROM unnest(moved) WITH ORDINALITY AS m (id, n)) a) o
    WHERE r.kind = of AND r.id = o.id;
  END IF;
  PERFORM touch_around_archival(array_fill(of, ARRAY[cardinality(moved)]), moved, true, at);
  RETURN '{}';
END $$;

-- The children of a node, or of the first level, without some, numbered from 1: those around a slot, or with a null slot all.
CREATE OR REPLACE FUNCTION archival_neighbours(of text, of_root bigint, of_parent bigint, without bigint[], slot bigint)
RETURNS TABLE (id bigint, rank bigint, n bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF of_parent IS NULL THEN
    RETURN QUERY
      SELECT s.id, s.rank, greatest(coalesce(slot, 0) - 1, 0) + row_number() OVER ()
      FROM (SELECT s.id, s.rank FROM archival_record s
            WHERE s.kind = of AND s.root = of_root AND s.parent IS NULL AND s.id <> ALL (without)
            ORDER BY s.parent, s.rank, s.id OFFSET greatest(coalesce(slot, 0) - 1, 0) LIMIT CASE WHEN slot IS NOT NULL THEN 2 END) s;
  ELSE
    RETURN QUERY
      SELECT s.id, s.rank, greatest(coalesce(slot, 0) - 1, 0) + row_number() OVER ()
      FROM (SELECT s.id, s.rank FROM archival_record s
            WHERE s.kind = of AND s.root = of_root AND s.parent = of_parent AND s.id <> ALL (without)
            ORDER BY s.rank, s.id OFFSET greatest(coalesce(slot, 0) - 1, 0) LIMIT CASE WHEN slot IS NOT NULL THEN 2 END) s;
  END IF;
END $$;

-- Publishes a record, what is below it and all parts of them, or the reverse. Returns its version, null without it. The
-- texts of records cannot look like the member: jsonb writes quotes inside texts with a backslash.
-- Statement: SELECT publish_archival($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION publish_archival(of text, of_id bigint, within bigint, published boolean, who text, at timestamptz)
RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM archival_record r
  WHERE r.kind = of AND r.id = of_id AND r.repository IS NOT DISTINCT FROM within FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE archival_record r
  SET doc = replace(r.doc::text, '"publish": ' || (NOT published)::text, '"publish": ' || published::text)::jsonb,
      publish = published, lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  FROM archival_subtree(of, of_id) s WHERE r.kind = s.kind AND r.id = s.id;
  PERFORM touch_around_archival(ARRAY[of], ARRAY[of_id], true, at);
  RETURN (SELECT r.lock_version FROM archival_record r WHERE r.kind = of AND r.id = of_id);
END $$;

-- Suppresses a record and what is below it, or the reverse. Returns whether it exists.
-- Statement: SELECT suppress_archival($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION suppress_archival(of text, of_id bigint, within bigint, hidden boolean, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM archival_record r
  WHERE r.kind = of AND r.id = of_id AND r.repository IS NOT DISTINCT FROM within FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE archival_record r SET suppressed = hidden, system_mtime = at
  FROM archival_subtree(of, of_id) s WHERE r.kind = s.kind AND r.id = s.id;
  -- An event goes with the last of its records, and comes back with the first.
  UPDATE archival_record e SET suppressed = a.hidden, system_mtime = at
  FROM (
    SELECT x.id, bool_and(t.suppressed) AS hidden
    FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
    WHERE x.kind = 'event' AND x.property = 'linked_records' AND x.id IN (
      SELECT y.id FROM archival_subtree(of, of_id) s
      JOIN archival_reference y ON y.target_kind = s.kind AND y.target_id = s.id AND y.kind = 'event'
        AND y.property = 'linked_records')
    GROUP BY x.id) a
  WHERE e.kind = 'event' AND e.id = a.id AND e.suppressed <> a.hidden;
  PERFORM touch_around_archival(ARRAY[of], ARRAY[of_id], true, at);
  RETURN true;
END $$;

-- Adds a repository with the agent that stands for it, unless there is one of that name, and the groups it has from the
-- start: records as add_archival takes them, the groups without repository and keys. Returns like it; the repository's id is the last one.
-- Statement: SELECT add_repository($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION add_repository(agent jsonb, repository jsonb, groups jsonb, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb := archival_taken(repository->'keys', NULL, NULL);
  added jsonb;
  number bigint;
BEGIN
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  added := add_archival(jsonb_build_array(agent), who, at);
  number := coalesce(added#>>'{ids,0}', added#>>'{taken,0,id}')::bigint;
  number := (add_archival(jsonb_build_array(jsonb_set(
      jsonb_set(repository, '{doc}', repository->'doc' || jsonb_build_object(
        'agent_representation', jsonb_build_object('ref', archival_uri(agent->>'kind', NULL, number)),
        'position', (SELECT coalesce(max((r.doc->>'position')::bigint), -1) + 1 FROM archival_record r
                     WHERE r.kind = 'repository' AND r.repository IS NULL))),
      '{refs}', jsonb_build_array(jsonb_build_object(
        'property', 'agent_representation', 'kind', agent->>'kind', 'id', number)))), who, at)#>>'{ids,0}')::bigint;
  PERFORM add_archival(jsonb_agg(g || jsonb_build_object('repository', number, 'keys', jsonb_build_array(
    jsonb_build_object('scope', format('group/%s/group_code', number), 'value', g#>>'{doc,group_code}')))), who, at)
  FROM jsonb_array_elements(groups) g;
  RETURN jsonb_build_object('ids', jsonb_build_array(number));
END $$;
