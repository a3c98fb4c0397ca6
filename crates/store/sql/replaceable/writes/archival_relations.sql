-- Relations that both records show: an accession names its resources and a resource its accessions. Each record has them
-- in its own list; who writes one record writes the lists of the others with it.

-- The lists that show each other's records.
CREATE OR REPLACE FUNCTION archival_mirrors()
RETURNS TABLE (kind text, property text, target_kind text, target_property text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('accession', 'related_resources', 'resource', 'related_accessions'),
         ('resource', 'related_accessions', 'accession', 'related_resources'),
         ('accession', 'component_links', 'archival_object', 'accession_links'),
         ('archival_object', 'accession_links', 'accession', 'component_links'),
         ('accession', 'related_accessions', 'accession', 'related_accessions')
  UNION ALL
  SELECT c, 'linked_records', r, 'classifications'
  FROM unnest(ARRAY['classification', 'classification_term']) c, unnest(ARRAY['accession', 'digital_object', 'resource']) r
  UNION ALL
  SELECT r, 'classifications', c, 'linked_records'
  FROM unnest(ARRAY['classification', 'classification_term']) c, unnest(ARRAY['accession', 'digital_object', 'resource']) r
  UNION ALL
  SELECT a, 'related_agents', b, 'related_agents'
  FROM unnest(ARRAY['agent_corporate_entity', 'agent_family', 'agent_person']) a,
       unnest(ARRAY['agent_corporate_entity', 'agent_family', 'agent_person']) b
$$;

-- An entry of a list as the other record shows it: with the address of the first record, and read from there.
CREATE OR REPLACE FUNCTION archival_mirrored(entry jsonb, uri text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT entry || jsonb_build_object('ref', uri) || CASE entry->>'relator'
    WHEN 'has_part' THEN '{"relator": "forms_part_of"}'
    WHEN 'forms_part_of' THEN '{"relator": "has_part"}'
    WHEN 'is_earlier_form_of' THEN '{"relator": "is_later_form_of"}'
    WHEN 'is_later_form_of' THEN '{"relator": "is_earlier_form_of"}'
    WHEN 'is_parent_of' THEN '{"relator": "is_child_of"}'
    WHEN 'is_child_of' THEN '{"relator": "is_parent_of"}'
    WHEN 'is_subordinate_to' THEN '{"relator": "is_superior_of"}'
    WHEN 'is_superior_of' THEN '{"relator": "is_subordinate_to"}'
    ELSE '{}'::jsonb END
$$;

-- A list with other entries of some addresses.
CREATE OR REPLACE FUNCTION archival_relisted(list jsonb, uris text[], entries jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(e.entry ORDER BY e.n), '[]') || coalesce(entries, '[]')
  FROM jsonb_array_elements(coalesce(list, '[]')) WITH ORDINALITY AS e (entry, n)
  WHERE NOT EXISTS (SELECT FROM unnest(uris) AS u (uri) WHERE u.uri = e.entry->>'ref')
$$;

-- Locks a record that is to have these references with the one at the top of its tree, null outside trees, and with those that
-- it will be related to, or no longer: in one order, so that who writes the other side at the same time comes before or after.
CREATE OR REPLACE FUNCTION lock_archival_related(of text, of_id bigint, refs jsonb, tree jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM (
    WITH before AS (
      SELECT x.property, x.target_kind AS kind, x.target_id AS id
      FROM archival_mirrors() m
      JOIN archival_reference x ON x.kind = of AND x.id = of_id AND x.property = m.property AND x.target_kind = m.target_kind
      WHERE m.kind = of),
    after AS (
      SELECT n->>'property' AS property, n->>'kind' AS kind, (n->>'id')::bigint AS id
      FROM archival_mirrors() m
      JOIN jsonb_array_elements(refs) n ON n->>'property' = m.property AND n->>'kind' = m.target_kind
      WHERE m.kind = of)
    SELECT of AS kind, of_id AS id
    UNION
    SELECT tree->>'kind', (tree->>'id')::bigint
    UNION
    SELECT l.kind, l.id FROM (TABLE before EXCEPT TABLE after) l
    UNION
    SELECT g.kind, g.id FROM (TABLE after EXCEPT TABLE before) g) n
  JOIN archival_record r ON r.kind = n.kind AND r.id = n.id
  ORDER BY r.root IS NOT NULL, r.kind, r.id FOR NO KEY UPDATE OF r;
END $$;

-- Brings the lists of other records in step with those of records that were just written with their references. Each of
-- the few lists is one statement, whatever the number of records. Records whose lists change have a new version: who read one
-- before would take the relation away, or bring it back, without having seen it.
-- Statement: SELECT mirror_archival($1, $2, $3)
CREATE OR REPLACE FUNCTION mirror_archival(of_kinds text[], of_ids bigint[], at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mirrored text;
BEGIN
  FOR mirrored IN
    SELECT DISTINCT m.target_property
    FROM unnest(of_kinds, of_ids) AS a (kind, id)
    JOIN archival_mirrors() m ON m.kind = a.kind
    WHERE EXISTS (SELECT FROM archival_reference x
                  WHERE x.kind = a.kind AND x.id = a.id AND x.property = m.property)
       OR EXISTS (SELECT FROM archival_reference x
                  WHERE x.target_kind = a.kind AND x.target_id = a.id AND x.kind = m.target_kind
                    AND x.property = m.target_property)
  LOOP
    WITH asked AS MATERIALIZED (
      SELECT r.kind, r.id, r.doc, archival_uri(r.kind, r.repository, r.id) AS uri
      FROM unnest(of_kinds, of_ids) AS a (kind, id) JOIN archival_record r ON r.kind = a.kind AND r.id = a.id),
    related AS MATERIALIZED (
      SELECT a.kind AS of_kind, a.id AS of_id, x.target_kind AS kind, x.target_id AS id, a.uri, m.property,
             archival_uri(t.kind, t.repository, t.id) AS ref
      FROM asked a
      JOIN archival_mirrors() m ON m.kind = a.kind AND m.target_property = mirrored
      JOIN archival_reference x ON x.kind = a.kind AND x.id = a.id AND x.property = m.property
        AND x.target_kind = m.target_kind AND (x.target_kind, x.target_id) <> (a.kind, a.id)
      JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id),
    listed AS MATERIALIZED (
      SELECT a.kind AS of_kind, a.id AS of_id, p.property, e.entry, e.entry->>'ref' AS ref, e.n
      FROM asked a
      CROSS JOIN LATERAL (
        SELECT DISTINCT m.property FROM archival_mirrors() m WHERE m.kind = a.kind AND m.target_property = mirrored) p
      CROSS JOIN LATERAL jsonb_array_elements(coalesce(a.doc->p.property, '[]')) WITH ORDINALITY AS e (entry, n)),
    wanted AS MATERIALIZED (
      SELECT l.kind, l.id, array_agg(l.uri) AS uris,
             jsonb_agg(m.entry ORDER BY l.of_kind, l.of_id, e.n) AS entries, jsonb_agg(m.entry ORDER BY m.entry) AS said
      FROM related l
      JOIN listed e ON e.ref = l.ref AND e.of_kind = l.of_kind AND e.of_id = l.of_id AND e.property = l.property
      CROSS JOIN LATERAL archival_mirrored(e.entry, l.uri) AS m (entry)
      GROUP BY l.kind, l.id),
    present AS MATERIALIZED (
      SELECT x.kind, x.id, a.kind AS of_kind, a.id AS of_id
      FROM asked a
      JOIN archival_mirrors() m ON m.kind = a.kind AND m.target_property = mirrored
      JOIN archival_reference x ON x.target_kind = a.kind AND x.target_id = a.id AND x.kind = m.target_kind
        AND x.property = mirrored AND (x.kind, x.id) <> (a.kind, a.id)),
    changed AS MATERIALIZED (
      SELECT r.kind, r.id, coalesce(o.uris, '{}') || coalesce(w.uris, '{}') AS uris, w.entries
      FROM (SELECT w.kind, w.id FROM wanted w UNION SELECT p.kind, p.id FROM present p) b
      JOIN archival_record r ON r.kind = b.kind AND r.id = b.id
      LEFT JOIN wanted w ON w.kind = b.kind AND w.id = b.id
      CROSS JOIN LATERAL (
        SELECT array_agg(a.uri) AS uris, jsonb_agg(e.entry ORDER BY e.entry) AS said
        FROM jsonb_array_elements(coalesce(r.doc->mirrored, '[]')) AS e (entry)
        JOIN asked a ON a.uri = e.entry->>'ref') o
      WHERE o.said IS DISTINCT FROM w.said),
    held AS MATERIALIZED (
      SELECT r.kind, r.id, c.uris, c.entries
      FROM changed c JOIN archival_record r ON r.kind = c.kind AND r.id = c.id
      ORDER BY r.root IS NOT NULL, r.kind, r.id FOR NO KEY UPDATE OF r),
    gone AS (
      DELETE FROM archival_reference x USING present p
      WHERE x.kind = p.kind AND x.id = p.id AND x.property = mirrored AND x.target_kind = p.of_kind AND x.target_id = p.of_id
        AND NOT EXISTS (SELECT FROM related l
                        WHERE (l.kind, l.id, l.of_kind, l.of_id) = (p.kind, p.id, p.of_kind, p.of_id))),
    new AS (
      INSERT INTO archival_reference (kind, id, repository, property, target_kind, target_id)
      SELECT DISTINCT r.kind, r.id, coalesce(r.repository, 0), mirrored, l.of_kind, l.of_id
      FROM related l JOIN archival_record r ON r.kind = l.kind AND r.id = l.id
      ON CONFLICT DO NOTHING)
    -- The list is the one that the record has when it is held: others may have written it since it was compared.
    UPDATE archival_record r
    SET doc = jsonb_set(r.doc, ARRAY[mirrored], archival_relisted(r.doc->mirrored, h.uris, h.entries)),
        lock_version = r.lock_version + 1, system_mtime = at
    FROM held h WHERE r.kind = h.kind AND r.id = h.id;
  END LOOP;
END $$;

-- A record whose processing is managed, with an address for that: it is a part of the record, but clients read it alone.
CREATE OR REPLACE FUNCTION archival_managed(doc jsonb, repository bigint) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN doc ? 'collection_management' AND NOT doc->'collection_management' ? 'uri'
    THEN jsonb_set(doc, '{collection_management,uri}', to_jsonb(archival_uri(
      'collection_management', repository, nextval('archival_id_collection_management'))))
    ELSE doc END
$$;

-- A record whose name in addresses no other record has: with a number, if need be. It had the name `before`.
CREATE OR REPLACE FUNCTION archival_slugged(doc jsonb, before text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  wanted text := doc->>'slug';
  free text := wanted;
  number int := 0;
BEGIN
  IF wanted IS NULL OR wanted = before THEN
    RETURN doc;
  END IF;
  WHILE EXISTS (SELECT FROM archival_record r WHERE r.doc ? 'slug' AND r.doc->>'slug' = free) LOOP
    number := number + 1;
    free := wanted || '_' || number;
  END LOOP;
  RETURN jsonb_set(doc, '{slug}', to_jsonb(free));
END $$;

-- The key by which the management of a record's processing is found.
CREATE OR REPLACE FUNCTION archival_management_key(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN doc ? 'collection_management' THEN jsonb_build_array(jsonb_build_object(
      'scope', 'collection_management', 'value', substring(doc#>>'{collection_management,uri}' FROM '[0-9]+$')))
    ELSE '[]' END
$$;
