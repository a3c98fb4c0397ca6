-- Parts of the rows of reports (contract 3.5, `report_job`).

-- The used parts of an identifier.
CREATE OR REPLACE FUNCTION archival_report_identifier(doc jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT nullif(concat_ws('.', doc->>'id_0', doc->>'id_1', doc->>'id_2', doc->>'id_3'), '')
$$;

-- The numbers of all extents together, as far as their texts begin with one.
CREATE OR REPLACE FUNCTION archival_report_extent(doc jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(sum(substring(e->>'number' FROM '^\s*([0-9]+(?:\.[0-9]+)?)')::numeric), 0)
  FROM jsonb_array_elements(doc->'extents') e
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

-- What an event of the type says of a record; null without such an event.
CREATE OR REPLACE FUNCTION archival_report_event(of text, of_id bigint, event_type text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(coalesce(e.doc->>'outcome_note', ''), ', ')
  FROM archival_reference x JOIN archival_record e ON e.kind = 'event' AND e.id = x.id
  WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = 'event' AND x.property = 'linked_records'
    AND e.doc->>'event_type' = event_type
$$;

-- Titles of the records that a property refers to: [{record_title}], with what they did for the record, if they did something.
CREATE OR REPLACE FUNCTION archival_report_linked(of text, of_id bigint, of_property text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(CASE WHEN x.role = '' THEN json_build_object('record_title', t.doc->>'title')
                                ELSE json_build_object('record_title', t.doc->>'title', 'role', x.role) END
                           ORDER BY t.doc->>'title', x.role), '[]')
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = of_property
$$;

-- Where the containers of a record's own instances are now: [{location}].
CREATE OR REPLACE FUNCTION archival_report_locations(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('location', l.title) ORDER BY l.title), '[]')
  FROM (SELECT DISTINCT l.doc->>'title' AS title
        FROM archival_reference x
        JOIN archival_record c ON c.kind = 'top_container' AND c.id = x.target_id
        JOIN archival_reference y ON y.kind = c.kind AND y.id = c.id AND y.target_kind = 'location'
        JOIN archival_record l ON l.kind = 'location' AND l.id = y.target_id
        WHERE x.kind = of AND x.id = of_id AND x.target_kind = 'top_container'
          AND c.doc->'container_locations' @> jsonb_build_array(jsonb_build_object(
            'ref', '/locations/' || l.id, 'status', 'current'))) l
$$;

-- Records with containers in a location: [{identifier, record_title}].
CREATE OR REPLACE FUNCTION archival_report_held(location bigint, of text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object('identifier', archival_report_identifier(h.doc),
                                             'record_title', h.doc->>'title') ORDER BY h.id), '[]')
  FROM (SELECT DISTINCT ON (t.id) t.id, t.doc
        FROM archival_reference y
        JOIN archival_reference x ON x.target_kind = y.kind AND x.target_id = y.id
        LEFT JOIN archival_record n ON n.kind = x.kind AND n.id = x.id AND n.root IS NOT NULL
        JOIN archival_record t ON t.kind = coalesce(n.root_kind, x.kind) AND t.id = coalesce(n.root, x.id)
        WHERE y.target_kind = 'location' AND y.target_id = location AND y.kind = 'top_container' AND t.kind = of
        ORDER BY t.id) h
$$;
