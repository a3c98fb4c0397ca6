-- Parts of the rows of reports (contract 3.5, `report_job`). Lists are null if nothing is in them. `suppressed` says whether
-- suppressed records are among them. Values of lists and numbers of extents are made readable by archives::reports.

-- The used parts of an identifier.
CREATE OR REPLACE FUNCTION archival_report_identifier(doc jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(concat_ws('.', doc->>'id_0', doc->>'id_1', doc->>'id_2', doc->>'id_3'), '')
$$;

-- The numbers of extents together, as far as their texts begin with one; null without extents.
CREATE OR REPLACE FUNCTION archival_report_extent(extents jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sum(coalesce(substring(e->>'number' FROM '^\s*([0-9]+(?:\.[0-9]+)?)')::numeric, 0))::text FROM jsonb_array_elements(extents) e
$$;

-- A member of the items of a list, each text once.
CREATE OR REPLACE FUNCTION archival_report_texts(list jsonb, member text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(DISTINCT e->>member, ', ') FROM jsonb_array_elements(list) e
$$;

-- The dates in a list, as people read them.
CREATE OR REPLACE FUNCTION archival_report_dates(list jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(coalesce(e->>'expression', concat_ws(' - ', e->>'begin', e->>'end')), ', ' ORDER BY n)
  FROM jsonb_array_elements(list) WITH ORDINALITY AS d (e, n)
$$;

CREATE OR REPLACE FUNCTION archival_report_flag(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value = 'true' THEN 'Yes' ELSE 'No' END
$$;

-- The events of a type that a record has: what they say, and when they were, nearest to what people read; null without one.
CREATE OR REPLACE FUNCTION archival_report_event(of text, of_id bigint, event_type text, OUT notes text, OUT dates text)
LANGUAGE sql STABLE AS $$
  SELECT string_agg(coalesce(e.doc->>'outcome_note', ''), ', ' ORDER BY e.id),
         string_agg(coalesce(nullif(archival_report_dates(jsonb_build_array(e.doc->'date')), ''), e.doc->>'timestamp', ''), ', ' ORDER BY e.id)
  FROM archival_reference x JOIN archival_record e ON e.kind = 'event' AND e.id = x.id
  WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = 'event' AND x.property = 'linked_records'
    AND e.doc->>'event_type' = event_type
$$;

-- The agents of a record, with what they did: [{name, function, role}].
CREATE OR REPLACE FUNCTION archival_report_names(of text, of_id bigint, entries jsonb) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('name', coalesce(t.name, 'Unknown'), 'function', e->>'role', 'role', e->>'relator') ORDER BY n)
  FROM jsonb_array_elements(entries) WITH ORDINALITY AS l (e, n)
  LEFT JOIN LATERAL (
    SELECT t.doc#>>'{display_name,sort_name}' AS name
    FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
    WHERE x.kind = of AND x.id = of_id AND x.property = 'linked_agents'
      AND archival_uri(t.kind, t.repository, t.id) = e->>'ref' LIMIT 1) t ON true
$$;

-- The subjects of a record: [{term, type, source}].
CREATE OR REPLACE FUNCTION archival_report_subjects(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('term', t.doc->>'title', 'type', archival_report_texts(t.doc->'terms', 'term_type'),
                                    'source', t.doc->>'source') ORDER BY t.doc->>'title', t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = 'subjects'
$$;

-- The classifications of a record, and the terms: [{identifier, title, term_identifier, term_title}].
CREATE OR REPLACE FUNCTION archival_report_classifications(of text, of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'identifier', CASE t.kind WHEN 'classification' THEN t.doc->>'identifier' END,
    'title', CASE t.kind WHEN 'classification' THEN t.doc->>'title' END,
    'term_identifier', CASE t.kind WHEN 'classification_term' THEN t.doc->>'identifier' END,
    'term_title', CASE t.kind WHEN 'classification_term' THEN t.doc->>'title' END) ORDER BY t.kind, t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = 'classifications' AND (archival_report_classifications.suppressed OR NOT t.suppressed)
$$;

-- The resources of an accession: [{identifier, title}].
CREATE OR REPLACE FUNCTION archival_report_resources(of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('identifier', archival_report_identifier(t.doc), 'title', t.doc->>'title') ORDER BY t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = 'accession' AND x.id = of_id AND x.property = 'related_resources'
    AND (archival_report_resources.suppressed OR NOT t.suppressed)
$$;

-- What was given away of a record: [{description, notification_sent, date, extent_number, extent_type}]; `dated` names the date.
CREATE OR REPLACE FUNCTION archival_report_deaccessions(list jsonb, dated text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_agg(json_build_object(
    'description', d->>'description', 'notification_sent', archival_report_flag(d->'notification'), dated, d#>>'{date,begin}',
    'extent_number', coalesce(archival_report_extent(d->'extents'), '0'),
    'extent_type', archival_report_texts(d->'extents', 'extent_type')) ORDER BY n)
  FROM jsonb_array_elements(list) WITH ORDINALITY AS l (d, n)
$$;

-- A record and, of a resource, its components, which have instances.
CREATE OR REPLACE FUNCTION archival_report_described(of text, of_id bigint, suppressed boolean)
RETURNS TABLE (kind text, id bigint) LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT of, of_id
  UNION ALL
  SELECT n.kind, n.id FROM archival_record n
  WHERE of = 'resource' AND n.kind = 'archival_object' AND n.root_kind = 'resource' AND n.root = of_id
    AND (archival_report_described.suppressed OR NOT n.suppressed)
$$;

-- Where the containers of a record are now: [{location, container}]; `named` names the containers.
CREATE OR REPLACE FUNCTION archival_report_locations(of text, of_id bigint, named text, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('location', p.title, named, p.containers) ORDER BY p.title, p.id)
  FROM (SELECT l.id, l.doc->>'title' AS title,
               string_agg(DISTINCT concat_ws(' ', c.doc->>'type', c.doc->>'indicator'), ', ') AS containers
        FROM archival_report_described(of, of_id, archival_report_locations.suppressed) h
        JOIN archival_reference x ON x.kind = h.kind AND x.id = h.id AND x.property = 'instances/sub_container/top_container'
        JOIN archival_record c ON c.kind = 'top_container' AND c.id = x.target_id
        JOIN archival_reference y ON y.kind = c.kind AND y.id = c.id AND y.property = 'container_locations'
        JOIN archival_record l ON l.kind = y.target_kind AND l.id = y.target_id
        WHERE c.doc->'container_locations' @> jsonb_build_array(jsonb_build_object('ref', '/locations/' || l.id, 'status', 'current'))
        GROUP BY l.id, l.doc) p
$$;

-- The name of the profile of a container or location.
CREATE OR REPLACE FUNCTION archival_report_profile(of text, of_id bigint, profile text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(p.doc->>'name', '; ')
  FROM archival_reference x JOIN archival_record p ON p.kind = x.target_kind AND p.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = profile
$$;

-- The instances of a record by their containers: [{type, indicator, container_profile, instances: [{digital_object,
-- instance_type, is_representative, type_2, indicator_2, type_3, indicator_3}]}], those of digital objects last.
CREATE OR REPLACE FUNCTION archival_report_instances(of text, of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'type', c.doc->>'type', 'indicator', coalesce(c.doc->>'indicator', 'Digital Object Instances'),
    'container_profile', archival_report_profile(c.kind, c.id, 'container_profile'), 'instances', i.list) ORDER BY c.id)
  FROM (SELECT i.container,
               json_agg(json_build_object(
                 'digital_object', i.object, 'instance_type', i.e->>'instance_type',
                 'is_representative', archival_report_flag(i.e->'is_representative'),
                 'type_2', i.e#>>'{sub_container,type_2}', 'indicator_2', i.e#>>'{sub_container,indicator_2}',
                 'type_3', i.e#>>'{sub_container,type_3}', 'indicator_3', i.e#>>'{sub_container,indicator_3}')
                 ORDER BY i.kind DESC, i.id, i.n) AS list
        FROM (SELECT r.kind, r.id, l.e, l.n, o.title AS object,
                     substring(l.e#>>'{sub_container,top_container,ref}' FROM '[0-9]+$')::bigint AS container
              FROM archival_report_described(of, of_id, archival_report_instances.suppressed) h
              JOIN archival_record r ON r.kind = h.kind AND r.id = h.id
              CROSS JOIN LATERAL jsonb_array_elements(r.doc->'instances') WITH ORDINALITY AS l (e, n)
              LEFT JOIN LATERAL (
                SELECT d.doc->>'title' AS title FROM archival_record d
                WHERE d.kind = 'digital_object' AND d.id = substring(l.e#>>'{digital_object,ref}' FROM '[0-9]+$')::bigint
                  AND (archival_report_instances.suppressed OR NOT d.suppressed)) o ON true
              LIMIT 10000) i
        GROUP BY i.container) i
  LEFT JOIN archival_record c ON c.kind = 'top_container' AND c.id = i.container
$$;

-- The statements of rights in a list; `begin` names the day they begin.
CREATE OR REPLACE FUNCTION archival_report_rights(list jsonb, begins text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_agg(json_build_object(
    'rights_type', s->>'rights_type', 'statute_citation', s->>'statute_citation', 'jurisdiction', s->>'jurisdiction',
    'status', s->>'status', begins, s->>'start_date', 'end_date', s->>'end_date',
    'determination_date', s->>'determination_date', 'license_terms', s->>'license_terms',
    'other_rights_basis', s->>'other_rights_basis') ORDER BY n)
  FROM jsonb_array_elements(list) WITH ORDINALITY AS l (s, n)
$$;

-- Where in a room a location is.
CREATE OR REPLACE FUNCTION archival_report_coordinates(doc jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(concat_ws(', ',
    nullif(concat_ws(' ', doc->>'coordinate_1_label', doc->>'coordinate_1_indicator'), ''),
    nullif(concat_ws(' ', doc->>'coordinate_2_label', doc->>'coordinate_2_indicator'), ''),
    nullif(concat_ws(' ', doc->>'coordinate_3_label', doc->>'coordinate_3_indicator'), '')), '')
$$;

-- Which accessions or resources of a repository have something in a location now, and in which containers.
CREATE OR REPLACE FUNCTION archival_report_in_location(location bigint, of text, within bigint, suppressed boolean)
RETURNS TABLE (id bigint, container bigint) LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT DISTINCT t.id, c.id
  FROM archival_reference y
  JOIN archival_record c ON c.kind = y.kind AND c.id = y.id
  JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id AND x.property = 'instances/sub_container/top_container'
  JOIN archival_record n ON n.kind = x.kind AND n.id = x.id
  JOIN archival_record t ON t.kind = coalesce(n.root_kind, n.kind) AND t.id = coalesce(n.root, n.id)
  WHERE y.target_kind = 'location' AND y.target_id = location AND y.kind = 'top_container' AND y.property = 'container_locations'
    AND c.doc->'container_locations' @> jsonb_build_array(jsonb_build_object('ref', '/locations/' || location, 'status', 'current'))
    AND t.kind = of AND t.repository = within
    AND (archival_report_in_location.suppressed OR NOT t.suppressed AND NOT n.suppressed)
$$;

-- Records of a repository with containers in a location: [{identifier, title}], and if asked for with those `containers`:
-- [{type, indicator, top_container_barcode, container_profile}].
CREATE OR REPLACE FUNCTION archival_report_held(location bigint, of text, within bigint, suppressed boolean, containers boolean)
RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(CASE WHEN containers
    THEN json_build_object('identifier', archival_report_identifier(t.doc), 'title', t.doc->>'title', 'containers', h.list)
    ELSE json_build_object('identifier', archival_report_identifier(t.doc), 'title', t.doc->>'title') END ORDER BY t.id)
  FROM (SELECT l.id, json_agg(json_build_object(
                 'type', c.doc->>'type', 'indicator', c.doc->>'indicator', 'top_container_barcode', c.doc->>'barcode',
                 'container_profile', archival_report_profile(c.kind, c.id, 'container_profile')
               ) ORDER BY c.id) FILTER (WHERE containers) AS list
        FROM archival_report_in_location(location, of, within, archival_report_held.suppressed) l
        JOIN archival_record c ON c.kind = 'top_container' AND c.id = l.container
        GROUP BY l.id) h
  JOIN archival_record t ON t.kind = of AND t.id = h.id
$$;

-- Titles of the accessions and resources that are in a container: [{linked_record_type, identifier, record_title}].
CREATE OR REPLACE FUNCTION archival_report_in_container(container bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('linked_record_type', t.kind, 'identifier', archival_report_identifier(t.doc),
                                    'record_title', t.doc->>'title') ORDER BY t.kind DESC, t.id)
  FROM (SELECT DISTINCT coalesce(n.root_kind, n.kind) AS kind, coalesce(n.root, n.id) AS id
        FROM archival_reference x JOIN archival_record n ON n.kind = x.kind AND n.id = x.id
        WHERE x.target_kind = 'top_container' AND x.target_id = container AND x.property = 'instances/sub_container/top_container'
          AND (archival_report_in_container.suppressed OR NOT n.suppressed)) h
  JOIN archival_record t ON t.kind = h.kind AND t.id = h.id AND (archival_report_in_container.suppressed OR NOT t.suppressed)
$$;

-- The display names of the agents that a property of an assessment names.
CREATE OR REPLACE FUNCTION archival_report_people(of_id bigint, of_property text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(t.doc#>>'{display_name,sort_name}', ', ' ORDER BY t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = 'assessment' AND x.id = of_id AND x.property = of_property
$$;

-- The records that an assessment is of: [{record_title, identifier, record_id}].
CREATE OR REPLACE FUNCTION archival_report_assessed(of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'record_title', coalesce(t.doc->>'title', t.doc->>'display_string'),
    'identifier', coalesce(archival_report_identifier(t.doc), t.doc->>'component_id', t.doc->>'digital_object_id'),
    'record_id', t.kind || '_' || t.id) ORDER BY t.kind DESC, t.id)
  FROM archival_reference x
  JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  LEFT JOIN archival_record r ON r.kind = t.root_kind AND r.id = t.root
  WHERE x.kind = 'assessment' AND x.id = of_id AND x.property = 'records'
    AND (archival_report_assessed.suppressed OR NOT t.suppressed AND NOT coalesce(r.suppressed, false))
$$;

-- What an assessment says of one type of attributes, as archival_attributes() tells it: [{field, rating, note}].
CREATE OR REPLACE FUNCTION archival_report_ratings(attributes jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_agg(json_build_object('field', a->>'label', 'rating', a->>'value', 'note', a->>'note') ORDER BY n)
  FROM jsonb_array_elements(attributes) WITH ORDINALITY AS l (a, n) WHERE a->>'value' IS NOT NULL
$$;

-- The labels of the attributes that an assessment has.
CREATE OR REPLACE FUNCTION archival_report_labels(attributes jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(a->>'label', ', ' ORDER BY n)
  FROM jsonb_array_elements(attributes) WITH ORDINALITY AS l (a, n) WHERE a->>'value' IS NOT NULL
$$;

-- The name of a column for an attribute.
CREATE OR REPLACE FUNCTION archival_report_column(label text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(regexp_replace(lower(btrim(label)), '[^a-z0-9]+', '_', 'g'), '_+$', '')
$$;
