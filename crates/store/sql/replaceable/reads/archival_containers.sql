-- What follows for containers from the records that are in them (contract 4.4).

-- Where a container that circulates is now, without who has or wants it: patrons are not the archivists' business.
CREATE OR REPLACE FUNCTION archival_box_state(of_item uuid) RETURNS jsonb LANGUAGE sql STABLE STRICT AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'item_id', s.id, 'status', s.state#>>'{status,name}', 'since', s.state#>>'{status,date}',
    'location', (SELECT l.doc->>'name' FROM item i JOIN location l ON l.id = i.effectivelocationid WHERE i.id = s.id),
    'in_transit_to', (SELECT p.doc->>'name' FROM service_point p
                      WHERE p.id = (s.state->>'inTransitDestinationServicePointId')::uuid),
    'on_hold_at', (SELECT p.doc->>'name' FROM request q JOIN service_point p ON p.id = q.pickupservicepointid
                   WHERE q.open_item = s.id AND q.doc->>'status' = 'Open - Awaiting pickup' LIMIT 1),
    'due', (SELECT l.doc->>'dueDate' FROM loan l WHERE l.open_item = s.id),
    'use_at_location', (SELECT l.doc#>>'{forUseAtLocation,status}' FROM loan l WHERE l.open_item = s.id),
    'requests', (SELECT count(*) FROM request q WHERE q.open_item = s.id)))
  FROM item_state s WHERE s.id = of_item
$$;

-- Of each container: the collections and series it holds parts of, the texts that name it, the restrictions in force, and
-- whether something published is in it. It is PL/pgSQL so that readers of other records pay nothing for it.
CREATE OR REPLACE FUNCTION archival_container_facts(containers bigint[])
RETURNS TABLE (id bigint, facts jsonb) LANGUAGE plpgsql STABLE ROWS 10 AS $$
DECLARE
  today text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
BEGIN
  IF containers IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
  -- From subscripts: so PostgreSQL expects a thousand containers and not ten, and pairs what is found for them by hashes.
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT DISTINCT containers[place] AS container FROM generate_subscripts(containers, 1) AS s (place)),
  -- Of the records in a container, hundreds in a large one, each is read once. Whether there is a second barcode or a restriction
  -- in one is asked at once: to unpack a record costs more than to look into it, and hardly any has them.
  link AS MATERIALIZED (
    SELECT a.container, l.kind, l.id, l.parent, l.root_kind, l.root, l.repository, l.publish AND NOT l.suppressed AS shown,
           jsonb_path_exists(l.doc, '$ ? (exists (@.notes[*].rights_restriction)
             || exists (@.instances[*].sub_container.barcode_2))') AS is_told_more
    FROM asked a
    JOIN archival_reference x ON x.target_kind = 'top_container' AND x.target_id = a.container
      AND x.property = 'instances/sub_container/top_container'
    JOIN archival_record l ON l.kind = x.kind AND l.id = x.id),
  -- The components above those that are linked. Each by its key: a limit leaves PostgreSQL no other plan, and otherwise it reads
  -- all components, in libraries where it thinks that quicker.
  up AS (
    SELECT l.container, n.id, n.parent
    FROM (SELECT DISTINCT l.container, l.parent FROM link l WHERE l.kind = 'archival_object' AND l.parent IS NOT NULL) l
    CROSS JOIN LATERAL (
      SELECT r.id, r.parent FROM archival_record r WHERE r.kind = 'archival_object' AND r.id = l.parent LIMIT 1) n
    UNION
    SELECT up.container, n.id, n.parent
    FROM up CROSS JOIN LATERAL (
      SELECT r.id, r.parent FROM archival_record r WHERE r.kind = 'archival_object' AND r.id = up.parent LIMIT 1) n),
  -- From the components that are in it up, as long as all are published; last come their repository and the record at the top.
  shown AS (
    SELECT DISTINCT l.container, l.kind, l.parent, l.repository, l.root_kind, l.root FROM link l WHERE l.shown
    UNION
    SELECT s.container, s.kind, n.parent, s.repository, s.root_kind, s.root
    FROM shown s CROSS JOIN LATERAL (
      SELECT r.parent, r.publish AND NOT r.suppressed AS shown
      FROM archival_record r WHERE r.kind = s.kind AND r.id = s.parent LIMIT 1) n
    WHERE n.shown),
  published AS (
    SELECT DISTINCT s.container
    FROM shown s
    LEFT JOIN archival_record p ON p.kind = 'repository' AND p.id = s.repository
    LEFT JOIN archival_record t ON t.kind = s.root_kind AND t.id = s.root
    WHERE s.parent IS NULL AND coalesce(p.publish, true) AND coalesce(t.publish AND NOT t.suppressed, true)),
  held AS MATERIALIZED (
    SELECT DISTINCT l.container, coalesce(l.root_kind, l.kind) AS kind, coalesce(l.root, l.id) AS id FROM link l),
  collection AS (
    SELECT h.container,
           jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
             'ref', archival_uri(r.kind, r.repository, r.id), 'identifier', n.identifier,
             'display_string', coalesce(r.doc->>'display_string', r.doc->>'title'))) ORDER BY r.kind DESC, r.id) AS refs,
           (array_agg(concat_ws(', ', n.identifier, r.doc->>'title') ORDER BY r.kind DESC, r.id))[1] AS first
    FROM held h
    JOIN archival_record r ON r.kind = h.kind AND r.id = h.id
    CROSS JOIN LATERAL (
      SELECT concat_ws('--', r.doc->>'id_0', r.doc->>'id_1', r.doc->>'id_2', r.doc->>'id_3') AS identifier) n
    GROUP BY h.container),
  series AS (
    SELECT u.container,
           jsonb_agg(jsonb_build_object(
             'ref', archival_uri(n.kind, n.repository, n.id), 'identifier', n.doc->>'component_id',
             'display_string', n.doc->>'display_string',
             'level_display_string', coalesce(n.doc->>'other_level', initcap(n.doc->>'level')),
             'publish', n.publish AND NOT n.suppressed) ORDER BY n.id) AS refs,
           string_agg(coalesce(n.doc->>'other_level', initcap(n.doc->>'level')) || ' ' || (n.doc->>'component_id'), '; '
                      ORDER BY n.id) AS names
    FROM (SELECT u.container, u.id FROM up u WHERE u.parent IS NULL
          UNION
          SELECT l.container, l.id FROM link l WHERE l.kind = 'archival_object' AND l.parent IS NULL) u
    JOIN archival_record n ON n.kind = 'archival_object' AND n.id = u.id
    WHERE n.doc ? 'component_id'
      AND (n.doc->>'level' = 'series'
           OR n.doc->>'level' = 'otherlevel' AND lower(n.doc->>'other_level') = 'accession')
    GROUP BY u.container),
  restriction AS (
    SELECT a.container,
           jsonb_agg((note->'rights_restriction') || jsonb_build_object(
             'jsonmodel_type', 'rights_restriction', 'restriction_note_type', note->>'type',
             'linked_records', jsonb_build_object('ref', archival_uri(r.kind, r.repository, r.id)))
             ORDER BY r.kind, r.id, place) AS active
    FROM (SELECT l.container, l.kind, l.id FROM link l WHERE l.kind = 'archival_object' AND l.is_told_more
          UNION
          SELECT u.container, 'archival_object', u.id FROM up u
          UNION ALL
          SELECT h.container, h.kind, h.id FROM held h WHERE h.kind = 'resource') a
    JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
    CROSS JOIN LATERAL jsonb_path_query(r.doc, '$.notes[*] ? (exists (@.rights_restriction)
      && (@.type == "accessrestrict" || @.type == "userestrict"))') WITH ORDINALITY AS n (note, place)
    WHERE coalesce(note#>>'{rights_restriction,begin}' <= today, true)
      AND coalesce(note#>>'{rights_restriction,end}' >= today, true)
      AND (note#>'{rights_restriction}' ?| ARRAY['begin', 'end']
           OR jsonb_array_length(coalesce(note#>'{rights_restriction,local_access_restriction_type}', '[]')) > 0)
    GROUP BY a.container),
  barcode AS (
    SELECT l.container, string_agg(sub->>'barcode_2' || ' ', '' ORDER BY l.kind, l.id, place) AS texts
    FROM link l
    JOIN archival_record r ON r.kind = l.kind AND r.id = l.id
    CROSS JOIN LATERAL jsonb_path_query(r.doc, '$.instances[*].sub_container ? (exists (@.barcode_2))')
      WITH ORDINALITY AS e (sub, place)
    WHERE l.is_told_more AND sub#>>'{top_container,ref}' = archival_uri('top_container', l.repository, l.container)
    GROUP BY l.container)
  SELECT r.id, jsonb_strip_nulls(jsonb_build_object(
      'display_string', regexp_replace(
        concat_ws(' ', w.type, (r.doc->>'indicator') || ':', s.names, w.barcode), ':$', ''),
      'long_display_string', concat_ws(', ', concat_ws(' ', w.type, r.doc->>'indicator', w.barcode),
                                       f.doc->>'name', o.doc->>'title', c.first, s.names),
      'subcontainer_barcodes', b.texts, 'circulation', archival_box_state(i.item)))
    || jsonb_build_object(
      'collection', coalesce(c.refs, '[]'), 'series', coalesce(s.refs, '[]'),
      'active_restrictions', coalesce(t.active, '[]'), 'restricted', t.active IS NOT NULL,
      'is_linked_to_published_record', p.container IS NOT NULL)
  FROM asked a
  JOIN archival_record r ON r.kind = 'top_container' AND r.id = a.container
  CROSS JOIN LATERAL (
    SELECT coalesce(upper(left(r.doc->>'type', 1)) || lower(substr(r.doc->>'type', 2)), '') AS type,
           '[Barcode: ' || (r.doc->>'barcode') || ']' AS barcode) w
  LEFT JOIN collection c ON c.container = a.container
  LEFT JOIN series s ON s.container = a.container
  LEFT JOIN restriction t ON t.container = a.container
  LEFT JOIN published p ON p.container = a.container
  LEFT JOIN barcode b ON b.container = a.container
  LEFT JOIN archival_box i ON i.container = a.container
  LEFT JOIN archival_record f ON f.kind = 'container_profile'
    AND f.id = substring(r.doc#>>'{container_profile,ref}' FROM '[0-9]+$')::bigint
  LEFT JOIN archival_record o ON o.kind = 'location'
    AND o.id = substring(r.doc#>>'{container_locations,0,ref}' FROM '[0-9]+$')::bigint;
END $$;
