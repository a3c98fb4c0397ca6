-- Moves records of the archives to another resource or another repository (contract 3.1, 3.2).

-- What cannot move with these records to another repository: {uri: [{json_property, message}]}, or null. Digital objects and
-- containers that other records have stay; what must be unique there must not be taken.
CREATE OR REPLACE FUNCTION archival_transfer_conflicts(kinds text[], ids bigint[], within bigint, to_repository bigint)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH moved AS MATERIALIZED (SELECT m.kind, m.id FROM unnest(kinds, ids) AS m (kind, id)),
  found AS (
    -- Who has the digital object.
    SELECT r.kind, r.repository, r.id, 'instances' AS json_property, 'DIGITAL_OBJECT_IN_USE' AS message
    FROM moved m
    JOIN archival_reference x ON x.target_kind = 'digital_object' AND x.target_id = m.id AND x.property = 'instances/digital_object'
    JOIN archival_record r ON r.kind = x.kind AND r.id = x.id
    WHERE m.kind = 'digital_object' AND NOT EXISTS (SELECT FROM moved o WHERE o.kind = x.kind AND o.id = x.id)
    UNION
    SELECT 'top_container', within, m.id, NULL, 'TOP_CONTAINER_IN_USE'
    FROM moved m
    JOIN archival_reference x ON x.target_kind = 'top_container' AND x.target_id = m.id
      AND x.property = 'instances/sub_container/top_container'
    WHERE m.kind = 'top_container' AND NOT EXISTS (SELECT FROM moved o WHERE o.kind = x.kind AND o.id = x.id)
    UNION
    SELECT m.kind, within, m.id, nullif(split_part(k.scope, '/', 3), 'barcode'), CASE split_part(k.scope, '/', 3)
             WHEN 'barcode' THEN 'BARCODE_IN_USE' WHEN 'id_0' THEN 'That ID is already in use' ELSE 'Must be unique' END
    FROM moved m
    JOIN archival_key k ON k.kind = m.kind AND k.id = m.id AND k.scope LIKE '%/' || within || '/%'
    JOIN archival_key t ON t.scope = format('%s/%s/%s', m.kind, to_repository, split_part(k.scope, '/', 3)) AND t.value = k.value
    WHERE m.kind IN ('accession', 'digital_object', 'resource', 'top_container'))
  SELECT jsonb_object_agg(c.uri, c.problems)
  FROM (SELECT archival_uri(f.kind, f.repository, f.id) AS uri, jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'json_property', f.json_property, 'message', f.message))) AS problems
        FROM found f GROUP BY 1) c
$$;

-- Events and assessments of records, as add_archival takes them for another repository: about those records alone, which
-- have their new addresses there.
CREATE OR REPLACE FUNCTION archival_copies(
  of_kinds text[], of_ids bigint[], kinds text[], ids bigint[], within bigint, to_repository bigint)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'repository', to_repository, 'keys', '[]'::jsonb, 'needs', '[]'::jsonb,
    'doc', jsonb_set(r.doc, ARRAY[l.list], (
      SELECT jsonb_agg(jsonb_set(e.entry, '{ref}', to_jsonb(archival_uri(u.kind, to_repository, u.id))) ORDER BY e.n)
      FROM jsonb_array_elements(r.doc->l.list) WITH ORDINALITY AS e (entry, n)
      JOIN unnest(kinds, ids) AS u (kind, id) ON e.entry->>'ref' = archival_uri(u.kind, within, u.id))),
    'refs', (
      SELECT jsonb_agg(jsonb_build_object('property', x.property, 'role', x.role, 'kind', x.target_kind, 'id', x.target_id))
      FROM archival_reference x
      WHERE x.kind = r.kind AND x.id = r.id AND (x.property <> l.list OR EXISTS (
        SELECT FROM unnest(kinds, ids) AS u (kind, id) WHERE u.kind = x.target_kind AND u.id = x.target_id)))))
  FROM unnest(of_kinds, of_ids) AS a (kind, id)
  JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  CROSS JOIN LATERAL (SELECT CASE r.kind WHEN 'event' THEN 'linked_records' ELSE 'records' END AS list) l
$$;

-- Gives records that move the addresses of their new repository, without what refers to records that stay, and theirs
-- without them.
CREATE OR REPLACE FUNCTION readdress_archival(
  kinds text[], ids bigint[], within bigint, to_repository bigint, at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  old_ref text := format('"ref": "/repositories/%s/', within);
  old_uri text := format('"uri": "/repositories/%s/collection_management/', within);
BEGIN
  WITH moved AS MATERIALIZED (SELECT m.kind, m.id FROM unnest(kinds, ids) AS m (kind, id)),
  crossing AS MATERIALIZED (
    SELECT x.* FROM moved m
    JOIN archival_reference x ON x.kind = m.kind AND x.id = m.id
    JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id AND t.repository = within
    WHERE NOT EXISTS (SELECT FROM moved o WHERE o.kind = t.kind AND o.id = t.id)
    UNION
    SELECT x.* FROM moved m
    JOIN archival_reference x ON x.target_kind = m.kind AND x.target_id = m.id AND x.repository = within
    WHERE NOT EXISTS (SELECT FROM moved o WHERE o.kind = x.kind AND o.id = x.id)),
  gone AS (
    DELETE FROM archival_reference x USING crossing c
    WHERE (x.kind, x.id, x.property, x.role, x.target_kind, x.target_id)
        = (c.kind, c.id, c.property, c.role, c.target_kind, c.target_id))
  UPDATE archival_record r SET doc = without_references(r.doc, c.uris), system_mtime = at
  FROM (SELECT c.kind, c.id, array_agg(DISTINCT archival_uri(c.target_kind, within, c.target_id)) AS uris
        FROM crossing c GROUP BY c.kind, c.id) c
  WHERE r.kind = c.kind AND r.id = c.id;
  INSERT INTO archival_deletion (uri, deleted)
  SELECT archival_uri(m.kind, within, m.id), at FROM unnest(kinds, ids) AS m (kind, id);
  DELETE FROM archival_deletion d
  WHERE d.uri IN (SELECT archival_uri(m.kind, to_repository, m.id) FROM unnest(kinds, ids) AS m (kind, id));
  -- What refers to other records in the repository refers to those that move along; no other text looks like that.
  UPDATE archival_record r
  SET repository = to_repository, system_mtime = at,
      doc = replace(replace(r.doc::text, old_ref, format('"ref": "/repositories/%s/', to_repository)), old_uri,
                    format('"uri": "/repositories/%s/collection_management/', to_repository))::jsonb
  FROM unnest(kinds, ids) AS m (kind, id) WHERE r.kind = m.kind AND r.id = m.id;
  UPDATE archival_reference x SET repository = to_repository
  FROM unnest(kinds, ids) AS m (kind, id) WHERE x.kind = m.kind AND x.id = m.id;
  UPDATE archival_key k SET scope = format('%s/%s/%s', m.kind, to_repository, split_part(k.scope, '/', 3))
  FROM unnest(kinds, ids) AS m (kind, id)
  WHERE k.kind = m.kind AND k.id = m.id AND m.kind IN ('accession', 'digital_object', 'resource', 'top_container')
    AND k.scope LIKE '%/' || within || '/%';
  -- Attributes of assessments are those of the same name there.
  UPDATE archival_record r
  SET doc = r.doc || (
    SELECT jsonb_object_agg(l.list, coalesce((
      SELECT jsonb_agg(jsonb_set(e.entry, '{definition_id}', to_jsonb(coalesce(t.id, d.id))) ORDER BY e.n)
      FROM jsonb_array_elements(r.doc->l.list) WITH ORDINALITY AS e (entry, n)
      JOIN archival_attribute d ON d.id = (e.entry->>'definition_id')::bigint
      LEFT JOIN archival_attribute t ON t.repository = to_repository AND t.type = d.type AND t.label = d.label
      WHERE d.repository = 1 OR t.id IS NOT NULL), '[]'))
    FROM unnest(ARRAY['conservation_issues', 'formats', 'ratings']) AS l (list))
  FROM unnest(kinds, ids) AS m (kind, id) WHERE m.kind = 'assessment' AND r.kind = m.kind AND r.id = m.id;
END $$;

-- What moves to another repository with a record: what is below it, its digital objects, and the containers of all that. Without
-- a record (null), everything that the repository has but its groups and preferences.
CREATE OR REPLACE FUNCTION archival_moving(of text, of_id bigint, within bigint)
RETURNS TABLE (kind text, id bigint) LANGUAGE sql STABLE ROWS 1000 AS $$
  WITH subtree AS MATERIALIZED (SELECT s.kind, s.id FROM archival_subtree(of, of_id) s),
  digital AS MATERIALIZED (
    SELECT DISTINCT x.target_kind AS kind, x.target_id AS id
    FROM subtree s JOIN archival_reference x ON x.kind = s.kind AND x.id = s.id AND x.property = 'instances/digital_object'),
  whole AS (
    SELECT s.kind, s.id FROM subtree s
    UNION
    SELECT b.kind, b.id FROM digital d CROSS JOIN LATERAL archival_subtree(d.kind, d.id) b)
  SELECT w.kind, w.id FROM whole w WHERE of IS NOT NULL
  UNION
  SELECT x.target_kind, x.target_id
  FROM whole w JOIN archival_reference x ON x.kind = w.kind AND x.id = w.id
    AND x.property = 'instances/sub_container/top_container'
  WHERE of IS NOT NULL
  UNION
  SELECT r.kind, r.id FROM archival_record r
  WHERE of IS NULL AND r.repository = within AND r.kind NOT IN ('group', 'preference')
$$;

-- Moves a record to another repository with what is below it, its digital objects, its containers, and events and
-- assessments that are of nothing else; of the other events and assessments it gets copies. Without a record (null), everything
-- that the repository has but its groups and preferences. Returns {"gone": true}, {"conflicts": {uri: [...]}} or {}.
-- Statement: SELECT transfer_archival($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION transfer_archival(
  of text, of_id bigint, within bigint, to_repository bigint, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  ids bigint[];
  held int := 0;
  about_kinds text[];
  about_ids bigint[];
  copies jsonb;
  refused jsonb;
BEGIN
  PERFORM FROM archival_record r
  WHERE r.kind = 'repository' AND r.id IN (within, to_repository) ORDER BY r.id FOR NO KEY UPDATE;
  PERFORM FROM archival_record r WHERE r.kind = of AND r.id = of_id AND r.repository = within FOR UPDATE;
  IF of IS NOT NULL AND NOT FOUND THEN
    RETURN '{"gone": true}';
  END IF;
  -- Whoever refers to one of them waits until it has moved; what was referred to while they were locked moves, too.
  LOOP
    SELECT array_agg(m.kind), array_agg(m.id) INTO kinds, ids FROM archival_moving(of, of_id, within) m;
    EXIT WHEN coalesce(cardinality(ids), 0) = held;
    held := cardinality(ids);
    PERFORM FROM unnest(kinds, ids) AS m (kind, id) JOIN archival_record r ON r.kind = m.kind AND r.id = m.id
    ORDER BY r.root IS NOT NULL, r.kind, r.id FOR UPDATE OF r;
  END LOOP;
  refused := archival_transfer_conflicts(kinds, ids, within, to_repository);
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('conflicts', refused);
  END IF;
  -- Events and assessments: those of nothing else come along.
  WITH about AS MATERIALIZED (
    SELECT a.kind, a.id, bool_and(EXISTS (
             SELECT FROM unnest(kinds, ids) AS m (kind, id) WHERE m.kind = x.target_kind AND m.id = x.target_id)) AS alone
    FROM (SELECT DISTINCT x.kind, x.id, x.property
          FROM unnest(kinds, ids) AS m (kind, id)
          JOIN archival_reference x ON x.target_kind = m.kind AND x.target_id = m.id
            AND (x.kind, x.property) IN (('event', 'linked_records'), ('assessment', 'records'))
          WHERE of IS NOT NULL) a
    JOIN archival_reference x ON x.kind = a.kind AND x.id = a.id AND x.property = a.property
    GROUP BY a.kind, a.id)
  SELECT kinds || coalesce(array_agg(a.kind) FILTER (WHERE a.alone), '{}'),
         ids || coalesce(array_agg(a.id) FILTER (WHERE a.alone), '{}'),
         array_agg(a.kind) FILTER (WHERE NOT a.alone), array_agg(a.id) FILTER (WHERE NOT a.alone)
  INTO kinds, ids, about_kinds, about_ids
  FROM about a;
  copies := archival_copies(about_kinds, about_ids, kinds, ids, within, to_repository);
  PERFORM readdress_archival(kinds, ids, within, to_repository, at);
  IF of IS NOT NULL THEN
    PERFORM add_archival(coalesce(copies, '[]') || jsonb_build_array(archival_event(
      to_repository, '{"event_type": "custody_transfer"}',
      archival_agents(within, 'transmitter') || archival_agents(to_repository, 'recipient'),
      jsonb_build_array(jsonb_build_object('ref', archival_uri(of, to_repository, of_id), 'role', 'transfer')), at)), who, at);
  END IF;
  RETURN '{}';
END $$;

-- Moves a component with all below it to the end of the first level of another resource, and writes an event of it. Returns
-- {"gone": true}, {"missing": [uri]}, {"taken": [...]} if that resource has a component with the same identifier, or
-- {"event": number}.
-- Statement: SELECT transfer_component($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION transfer_component(of_id bigint, to_root bigint, within bigint, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  component archival_record;
  root bigint;
  refused jsonb;
  below bigint[];
  here record;
  there record := archival_tree_scopes('archival_object', to_root);
BEGIN
  LOOP
    SELECT * INTO component FROM archival_record r
    WHERE r.kind = 'archival_object' AND r.id = of_id AND r.repository = within;
    IF component.id IS NULL THEN
      RETURN '{"gone": true}';
    END IF;
    -- It may have moved before its tree was locked.
    EXIT WHEN component.root = root;
    root := component.root;
    PERFORM lock_archival_trees('resource', ARRAY[root, to_root]);
  END LOOP;
  IF NOT EXISTS (SELECT FROM archival_record r WHERE r.kind = 'resource' AND r.id = to_root AND r.repository = within) THEN
    RETURN jsonb_build_object('missing', jsonb_build_array(archival_uri('resource', within, to_root)));
  END IF;
  here := archival_tree_scopes('archival_object', component.root);
  below := ARRAY(SELECT s.id FROM archival_subtree('archival_object', of_id) s);
  SELECT jsonb_agg(jsonb_build_object('scope', t.scope)) INTO refused
  FROM archival_key k
  JOIN archival_key t ON t.scope = there.first || substr(k.scope, length(here.first) + 1) AND t.value = k.value
    AND t.id <> ALL (below)
  WHERE k.scope >= here.first AND k.scope < here.after AND k.kind = 'archival_object' AND k.id = ANY (below)
    AND t.scope >= there.first AND t.scope < there.after;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  PERFORM touch_around_archival(ARRAY['archival_object'], ARRAY[of_id], true, at);
  PERFORM move_archival_tree('archival_object', of_id, to_root, NULL, at);
  -- The tree counts as changed with all of its containers.
  PERFORM touch_around_archival(ARRAY['archival_object', 'resource'], ARRAY[of_id, to_root], true, at);
  UPDATE archival_key k SET scope = there.first || substr(k.scope, length(here.first) + 1)
  WHERE k.scope >= here.first AND k.scope < here.after AND k.kind = 'archival_object' AND k.id = of_id;
  UPDATE archival_record r SET lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at
  WHERE r.kind = 'archival_object' AND r.id = of_id;
  RETURN jsonb_build_object('event', add_archival(jsonb_build_array(archival_event(
    within, '{"event_type": "component_transfer"}', archival_implementer(who, within), jsonb_build_array(
      jsonb_build_object('ref', archival_uri('resource', within, component.root), 'role', 'source'),
      jsonb_build_object('ref', archival_uri('resource', within, to_root), 'role', 'outcome'),
      jsonb_build_object('ref', archival_uri('archival_object', within, of_id), 'role', 'transfer')), at)), who, at)#>'{ids,0}');
END $$;
