-- Merges records of the archives: the candidates go, and what referred to them refers to the destination (contract 3.2, 3.3).

-- A part of a record whose references to some addresses go to another, without the entries of lists that would say the same
-- twice. An instance in a container that says nothing more goes if the record has another one in the destination.
CREATE OR REPLACE FUNCTION redirected(part jsonb, gone text[], to_uri text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE jsonb_typeof(part)
    WHEN 'object' THEN (
      SELECT coalesce(jsonb_object_agg(m.key, CASE
        WHEN m.key = 'ref' AND m.value#>>'{}' = ANY (gone) THEN to_jsonb(to_uri)
        ELSE redirected(m.value, gone, to_uri) END), '{}')
      FROM jsonb_each(part) m)
    WHEN 'array' THEN (
      SELECT coalesce(jsonb_agg(k.entry ORDER BY k.n), '[]')
      FROM (
        SELECT redirected(e.entry, gone, to_uri) AS entry, e.n, u.uri = ANY (gone) AS moved,
               row_number() OVER (
                 PARTITION BY CASE
                   WHEN u.uri = ANY (gone || to_uri) AND (NOT u.said OR u.uri = to_uri)
                   THEN concat_ws('/', 'same', e.entry->>'role', e.entry->>'relator')
                   ELSE e.n::text END
                 ORDER BY coalesce(u.uri = ANY (gone), false), e.n) AS same
        FROM jsonb_array_elements(part) WITH ORDINALITY AS e (entry, n)
        CROSS JOIN LATERAL (
          SELECT coalesce(e.entry->>'ref', e.entry#>>'{digital_object,ref}', e.entry#>>'{sub_container,top_container,ref}') AS uri,
                 coalesce(e.entry->'sub_container' ?| ARRAY['type_2', 'indicator_2', 'type_3', 'indicator_3'], false) AS said) u) k
      WHERE k.same = 1 OR k.moved IS NOT TRUE)
    ELSE part END;
END $$;

-- Merges records into one of the repository, or of none. Nodes of merged trees come after those that are there; an event
-- tells of it. Returns {"gone": kind}, {"taken": [...]} if the nodes of the trees have the same identifiers,
-- {"unsupported": true} if a software agent would be related to others, or {"lock_version": n} of the destination.
-- Statement: SELECT merge_archival($1, $2, $3, $4, $5, $6, $7)
CREATE OR REPLACE FUNCTION merge_archival(
  of text, of_id bigint, kinds text[], ids bigint[], within bigint, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  destination archival_record;
  to_uri text;
  gone text[];
  note text;
  profiles jsonb;
  missing text;
  held text;
  refused jsonb;
  by_kinds text[];
  by_ids bigint[];
BEGIN
  PERFORM FROM archival_record r
  WHERE (r.kind, r.id) IN (SELECT k, i FROM unnest(kinds || of, ids || of_id) AS a (k, i))
  ORDER BY r.kind, r.id FOR UPDATE;
  SELECT a.kind INTO missing
  FROM unnest(of || kinds, of_id || ids) WITH ORDINALITY AS a (kind, id, n)
  LEFT JOIN archival_record r ON r.kind = a.kind AND r.id = a.id AND r.repository IS NOT DISTINCT FROM within
  WHERE r.id IS NULL ORDER BY a.n LIMIT 1;
  IF missing IS NOT NULL THEN
    RETURN jsonb_build_object('gone', missing);
  END IF;
  SELECT * INTO destination FROM archival_record r WHERE r.kind = of AND r.id = of_id;
  to_uri := archival_uri(of, within, of_id);
  SELECT array_agg(archival_uri(r.kind, r.repository, r.id) ORDER BY a.n),
         string_agg(concat_ws(' -- ', coalesce(r.doc->>'digital_object_id', concat_ws(
           '--', r.doc->>'id_0', r.doc->>'id_1', r.doc->>'id_2', r.doc->>'id_3')), r.doc->>'title') || E'\n', '' ORDER BY a.n),
         jsonb_agg(DISTINCT r.doc->'container_profile') FILTER (WHERE r.doc ? 'container_profile')
  INTO gone, note, profiles
  FROM unnest(kinds, ids) WITH ORDINALITY AS a (kind, id, n) JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  WHERE (a.kind, a.id) <> (of, of_id);
  IF gone IS NULL THEN
    RETURN jsonb_build_object('lock_version', destination.lock_version);
  END IF;
  SELECT array_agg(r.kind), array_agg(r.id), array_agg(archival_uri(r.kind, r.repository, r.id)) INTO kinds, ids, gone
  FROM (SELECT DISTINCT a.kind, a.id FROM unnest(kinds, ids) AS a (kind, id) WHERE (a.kind, a.id) <> (of, of_id)) a
  JOIN archival_record r ON r.kind = a.kind AND r.id = a.id;
  IF of = 'agent_software' AND EXISTS (
    SELECT FROM unnest(kinds, ids) AS a (kind, id)
    JOIN archival_reference x ON x.target_kind = a.kind AND x.target_id = a.id AND x.property = 'related_agents') THEN
    RETURN '{"unsupported": true}';
  END IF;
  SELECT h.why INTO held
  FROM unnest(kinds, ids) AS a (kind, id), held_agent(a.kind, a.id) AS h (why) WHERE h.why IS NOT NULL LIMIT 1;
  IF held IS NOT NULL THEN
    RETURN jsonb_build_object('held', held);
  END IF;
  refused := merge_archival_trees(of, of_id, ids, at);
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  IF of = 'resource' THEN
    -- The containers of all trees count as changed.
    PERFORM touch_around_archival(kinds || of, ids || of_id, true, at);
  END IF;
  -- What the candidates refer to goes with them.
  DELETE FROM archival_reference x USING unnest(kinds, ids) AS c (kind, id) WHERE x.kind = c.kind AND x.id = c.id;
  SELECT array_agg(b.kind), array_agg(b.id) INTO by_kinds, by_ids
  FROM (SELECT DISTINCT x.kind, x.id FROM unnest(kinds, ids) AS c (kind, id)
        JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id
        WHERE (x.kind, x.id) <> (of, of_id)) b;
  -- Records that refer to the candidates: those that would say the same twice are rebuilt, of the others only the
  -- address changes, which no other text of a record looks like.
  UPDATE archival_record r
  SET doc = CASE WHEN b.twice THEN redirected(r.doc, gone, to_uri) ELSE replace(
        r.doc::text, format('"ref": "%s"', b.uri), format('"ref": "%s"', to_uri))::jsonb END,
      system_mtime = at
  FROM (
    SELECT x.kind, x.id, min(c.uri) AS uri, count(DISTINCT c.uri) > 1 OR EXISTS (
             SELECT FROM archival_reference y
             WHERE y.target_kind = of AND y.target_id = of_id AND y.kind = x.kind AND y.id = x.id) AS twice
    FROM unnest(kinds, ids, gone) AS c (kind, id, uri)
    JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id
    GROUP BY x.kind, x.id) b
  WHERE r.kind = b.kind AND r.id = b.id AND (r.kind, r.id) <> (of, of_id);
  INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
  SELECT DISTINCT x.kind, x.id, x.repository, x.property, x.role, of, of_id
  FROM unnest(kinds, ids) AS c (kind, id)
  JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id
  WHERE (x.kind, x.id) <> (of, of_id)
  ON CONFLICT DO NOTHING;
  DELETE FROM archival_reference x USING unnest(kinds, ids) AS c (kind, id)
  WHERE x.target_kind = c.kind AND x.target_id = c.id AND (x.kind, x.id) <> (of, of_id);
  UPDATE archival_record r
  SET doc = r.doc || CASE WHEN of = 'top_container' AND NOT r.doc ? 'container_profile' AND jsonb_array_length(profiles) = 1
        THEN jsonb_build_object('container_profile', profiles->0) ELSE '{}' END,
      lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  WHERE r.kind = of AND r.id = of_id;
  INSERT INTO archival_reference (kind, id, repository, property, target_kind, target_id)
  SELECT r.kind, r.id, coalesce(r.repository, 0), 'container_profile', 'container_profile', substring(r.doc#>>'{container_profile,ref}' FROM '[0-9]+$')::bigint
  FROM archival_record r WHERE r.kind = of AND r.id = of_id AND of = 'top_container' AND r.doc ? 'container_profile'
  ON CONFLICT DO NOTHING;
  PERFORM remove_archival(kinds, ids, at);
  PERFORM mirror_archival(by_kinds, by_ids, at);
  IF of IN ('digital_object', 'resource') THEN
    PERFORM add_archival(jsonb_build_array(archival_event(
      within, jsonb_build_object('event_type', 'component_transfer', 'outcome', 'pass', 'outcome_note', left(note, 16384)),
      archival_implementer(who, within), jsonb_build_array(jsonb_build_object('ref', to_uri, 'role', 'outcome')), at)),
      who, at);
  END IF;
  RETURN jsonb_build_object('lock_version', (SELECT r.lock_version FROM archival_record r WHERE r.kind = of AND r.id = of_id));
END $$;

-- Moves all nodes of trees to the end of another tree. Returns the keys that nodes of both have, or null.
CREATE OR REPLACE FUNCTION merge_archival_trees(of text, of_id bigint, roots bigint[], at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  nodes text := CASE of WHEN 'resource' THEN 'archival_object' WHEN 'digital_object' THEN 'digital_object_component' END;
  refused jsonb;
  last bigint;
BEGIN
  IF nodes IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_agg(jsonb_build_object('scope', m.scope)) INTO refused
  FROM (
    SELECT regexp_replace(k.scope, '/[0-9]+/', format('/%s/', of_id)) AS scope, k.value
    FROM archival_record n JOIN archival_key k ON k.kind = n.kind AND k.id = n.id
    WHERE n.kind = nodes AND n.root = ANY (roots || of_id)
    GROUP BY 1, 2 HAVING count(*) > 1 LIMIT 1) m;
  IF refused IS NOT NULL THEN
    RETURN refused;
  END IF;
  last := last_archival_rank(nodes, of_id, NULL);
  UPDATE archival_key k SET scope = regexp_replace(k.scope, '/[0-9]+/', format('/%s/', of_id))
  FROM archival_record n WHERE n.kind = nodes AND n.root = ANY (roots) AND k.kind = n.kind AND k.id = n.id;
  UPDATE archival_record r
  SET root = of_id, rank = CASE WHEN r.parent IS NULL THEN last + archival_step() * o.n ELSE r.rank END, system_mtime = at
  FROM (SELECT n.id, row_number() OVER (ORDER BY array_position(roots, n.root), n.rank, n.id) AS n
        FROM archival_record n WHERE n.kind = nodes AND n.root = ANY (roots)) o
  WHERE r.kind = nodes AND r.id = o.id;
  RETURN NULL;
END $$;
