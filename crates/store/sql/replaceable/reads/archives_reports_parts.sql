-- What reports that staff put together show of the records around a record (contract 3.5, sub-reports of custom reports). All
-- lists are null if nothing is in them, and have at most 10,000 items. `suppressed` says whether suppressed records are among them.

-- The primary name of an agent.
CREATE OR REPLACE FUNCTION archival_report_agent(doc jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(doc#>>'{display_name,primary_name}', doc#>>'{display_name,family_name}', doc#>>'{display_name,software_name}')
$$;

CREATE OR REPLACE FUNCTION archival_report_date_rows(list jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_agg(json_build_object(
    'date_type', d->>'date_type', 'label', d->>'label', 'certainty', d->>'certainty', 'expression', d->>'expression',
    'begin', d->>'begin', 'end', d->>'end', 'era', d->>'era', 'calendar', d->>'calendar') ORDER BY n)
  FROM jsonb_array_elements(list) WITH ORDINALITY AS l (d, n) WHERE jsonb_typeof(d) = 'object'
$$;

-- The agents of a record: [{role, relator, record_title, term, ref}].
CREATE OR REPLACE FUNCTION archival_report_linked_agents(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'role', e->>'role', 'relator', e->>'relator', 'record_title', e->>'title',
    'term', (SELECT string_agg(coalesce(m->>'term', k.doc->>'term'), '; ')
             FROM jsonb_array_elements(e->'terms') m
             LEFT JOIN archival_record k ON k.kind = 'term' AND k.id = substring(m->>'ref' FROM '[0-9]+$')::bigint),
    'ref', t.name) ORDER BY n)
  FROM archival_record r
  CROSS JOIN LATERAL jsonb_array_elements(r.doc->'linked_agents') WITH ORDINALITY AS l (e, n)
  LEFT JOIN LATERAL (
    SELECT archival_report_agent(t.doc) AS name
    FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
    WHERE x.kind = of AND x.id = of_id AND x.property = 'linked_agents'
      AND archival_uri(t.kind, t.repository, t.id) = e->>'ref' LIMIT 1) t ON true
  WHERE r.kind = of AND r.id = of_id
$$;

-- The attributes that an assessment has: [{_format}].
CREATE OR REPLACE FUNCTION archival_report_formats(attributes jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_agg(json_build_object('_format', a->>'label') ORDER BY n)
  FROM jsonb_array_elements(attributes) WITH ORDINALITY AS l (a, n) WHERE a->>'value' IS NOT NULL
$$;

-- The agents that a property of an assessment names: [{_reviewer}].
CREATE OR REPLACE FUNCTION archival_report_persons(of_id bigint, of_property text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('_' || of_property, t.doc#>>'{display_name,sort_name}') ORDER BY t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = 'assessment' AND x.id = of_id AND x.property = of_property
$$;

-- The assessments of a record.
CREATE OR REPLACE FUNCTION archival_report_assessments(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'id', r.id, 'accession_report', archival_report_flag(r.doc->'accession_report'),
    'appraisal', archival_report_flag(r.doc->'appraisal'), 'container_list', archival_report_flag(r.doc->'container_list'),
    'catalog_record', archival_report_flag(r.doc->'catalog_record'), 'control_file', archival_report_flag(r.doc->'control_file'),
    'deed_of_gift', archival_report_flag(r.doc->'deed_of_gift'), 'finding_aid_ead', archival_report_flag(r.doc->'finding_aid_ead'),
    'finding_aid_online', archival_report_flag(r.doc->'finding_aid_online'),
    'finding_aid_paper', archival_report_flag(r.doc->'finding_aid_paper'),
    'finding_aid_word', archival_report_flag(r.doc->'finding_aid_word'),
    'finding_aid_spreadsheet', archival_report_flag(r.doc->'finding_aid_spreadsheet'),
    'related_eac_records', archival_report_flag(r.doc->'related_eac_records'),
    'survey_begin', r.doc->>'survey_begin', 'survey_end', r.doc->>'survey_end',
    'surveyed_duration', r.doc->>'surveyed_duration', 'surveyed_extent', r.doc->>'surveyed_extent',
    'review_required', archival_report_flag(r.doc->'review_required'), 'inactive', archival_report_flag(r.doc->'inactive'),
    'sensitive_material', archival_report_flag(r.doc->'sensitive_material'), 'purpose', r.doc->>'purpose',
    'scope', r.doc->>'scope', 'general_assessment_note', r.doc->>'general_assessment_note',
    'exhibition_value_note', r.doc->>'exhibition_value_note',
    'existing_description_notes', r.doc->>'existing_description_notes', 'review_note', r.doc->>'review_note',
    'monetary_value', r.doc->>'monetary_value', 'monetary_value_note', r.doc->>'monetary_value_note',
    'special_format_note', r.doc->>'special_format_note', 'conservation_note', r.doc->>'conservation_note',
    'ratings', archival_report_ratings(f.facts->'ratings'), 'formats', archival_report_formats(f.facts->'formats'),
    'conservation_issues', archival_report_formats(f.facts->'conservation_issues'),
    'surveyed_by', archival_report_persons(r.id, 'surveyed_by'), 'reviewer', archival_report_persons(r.id, 'reviewer')) ORDER BY r.id)
  FROM archival_reference x
  JOIN archival_record r ON r.kind = x.kind AND r.id = x.id
  CROSS JOIN LATERAL archival_assessment_facts(ARRAY[r.id]) f
  WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = 'assessment' AND x.property = 'records'
$$;

-- What an assessment has of one type of attributes.
CREATE OR REPLACE FUNCTION archival_report_attributes(of_id bigint, name text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT CASE name WHEN 'ratings' THEN archival_report_ratings(f.facts->name) ELSE archival_report_formats(f.facts->name) END
  FROM archival_assessment_facts(ARRAY[of_id]) f
$$;

-- The events of a record: [{event_type, outcome, timestamp, date}].
CREATE OR REPLACE FUNCTION archival_report_events(of text, of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'event_type', e.doc->>'event_type', 'outcome', e.doc->>'outcome', 'timestamp', e.doc->>'timestamp',
    'date', archival_report_date_rows(jsonb_build_array(e.doc->'date'))) ORDER BY e.id)
  FROM (SELECT e.id, e.doc FROM archival_reference x JOIN archival_record e ON e.kind = x.kind AND e.id = x.id
        WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = 'event' AND x.property = 'linked_records'
          AND (archival_report_events.suppressed OR NOT e.suppressed)
        ORDER BY e.id LIMIT 10000) e
$$;

-- The accessions that an accession is related to: [{relationship_type}].
CREATE OR REPLACE FUNCTION archival_report_interrelated(of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('relationship_type', concat_ws(' ',
    archival_report_identifier(r.doc), replace(e->>'relator', '_', ' '), archival_report_identifier(t.doc))) ORDER BY n)
  FROM archival_record r
  CROSS JOIN LATERAL jsonb_array_elements(r.doc->'related_accessions') WITH ORDINALITY AS l (e, n)
  JOIN archival_record t ON t.kind = 'accession' AND t.id = substring(e->>'ref' FROM '[0-9]+$')::bigint
  WHERE r.kind = 'accession' AND r.id = of_id AND (archival_report_interrelated.suppressed OR NOT t.suppressed)
$$;

-- The classifications of a record, and the terms by their paths: [{identifier, title, description}].
CREATE OR REPLACE FUNCTION archival_report_classified(of text, of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('identifier', p.path, 'title', t.doc->>'title', 'description', t.doc->>'description')
                  ORDER BY t.kind, t.id)
  FROM archival_reference x
  JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  CROSS JOIN LATERAL (
    WITH RECURSIVE up AS (
      SELECT t.parent, t.root, t.root_kind, t.doc->>'identifier' AS path
      UNION ALL
      SELECT n.parent, n.root, n.root_kind, concat_ws('/', n.doc->>'identifier', up.path)
      FROM up JOIN archival_record n ON up.root IS NOT NULL
        AND n.kind = CASE WHEN up.parent IS NULL THEN up.root_kind ELSE t.kind END AND n.id = coalesce(up.parent, up.root))
    SELECT up.path FROM up WHERE up.root IS NULL) p
  WHERE x.kind = of AND x.id = of_id AND x.property = 'classifications' AND (archival_report_classified.suppressed OR NOT t.suppressed)
$$;

-- Who made a classification or a term of one: [{_creator}].
CREATE OR REPLACE FUNCTION archival_report_creators(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('_creator', archival_report_agent(t.doc)) ORDER BY t.kind, t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = 'creator'
$$;

-- The agents that an agent is related to: [{_agents, relationship_type, description}].
CREATE OR REPLACE FUNCTION archival_report_related_agents(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    '_agents', concat_ws('; ', r.doc#>>'{display_name,sort_name}', t.name),
    'relationship_type', replace(replace(e->>'jsonmodel_type', 'agent_relationship_', ''), '_', ' '),
    'description', e->>'description') ORDER BY n)
  FROM archival_record r
  CROSS JOIN LATERAL jsonb_array_elements(r.doc->'related_agents') WITH ORDINALITY AS l (e, n)
  LEFT JOIN LATERAL (
    SELECT t.doc#>>'{display_name,sort_name}' AS name
    FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
    WHERE x.kind = of AND x.id = of_id AND x.property = 'related_agents'
      AND archival_uri(t.kind, t.repository, t.id) = e->>'ref' LIMIT 1) t ON true
  WHERE r.kind = of AND r.id = of_id
$$;

-- A record as lists of other records show it; with a role or a relator, if it has one.
CREATE OR REPLACE FUNCTION archival_report_link(of text, of_id bigint, role text, relator text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_object_agg(m.name, m.value ORDER BY m.n)
  FROM archival_record r
  LEFT JOIN archival_record t ON t.kind = r.root_kind AND t.id = r.root
  CROSS JOIN LATERAL (VALUES
    (1, 'identifier', archival_report_identifier(r.doc), ARRAY['accession', 'resource']),
    (2, 'component_id', r.doc->>'component_id', ARRAY['archival_object', 'digital_object_component']),
    (3, 'digital_object_id', r.doc->>'digital_object_id', ARRAY['digital_object']),
    (4, 'title', r.doc->>'title', ARRAY[r.kind]),
    (5, 'ref_id', r.doc->>'ref_id', ARRAY['archival_object']),
    (6, 'level', r.doc->>'level', ARRAY['archival_object']),
    (7, 'root_record', archival_report_identifier(t.doc), ARRAY['archival_object']),
    (8, 'root_record', t.doc->>'digital_object_id', ARRAY['digital_object_component']),
    (9, 'role', role, CASE WHEN role IS NOT NULL THEN ARRAY[r.kind] END),
    (10, 'relator', relator, CASE WHEN relator IS NOT NULL THEN ARRAY[r.kind] END)) AS m (n, name, value, kinds)
  WHERE r.kind = of AND r.id = of_id AND r.kind = ANY (m.kinds)
$$;

-- The statements of rights in which an agent is named, with the record that each is about.
CREATE OR REPLACE FUNCTION archival_report_agent_rights(of text, of_id bigint, within bigint, suppressed boolean)
RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'rights_type', s->>'rights_type', 'statute_citation', s->>'statute_citation', 'jurisdiction', s->>'jurisdiction',
    'status', s->>'status', 'start_date', s->>'start_date', 'end_date', s->>'end_date',
    'determination_date', s->>'determination_date', 'license_terms', s->>'license_terms',
    'other_rights_basis', s->>'other_rights_basis',
    'accession', CASE o.kind WHEN 'accession' THEN l.list END,
    'archival_object', CASE o.kind WHEN 'archival_object' THEN l.list END,
    'digital_object', CASE o.kind WHEN 'digital_object' THEN l.list END,
    'digital_object_component', CASE o.kind WHEN 'digital_object_component' THEN l.list END,
    'resource', CASE o.kind WHEN 'resource' THEN l.list END) ORDER BY o.kind, o.id, n)
  FROM (SELECT DISTINCT x.kind, x.id FROM archival_reference x
        WHERE x.target_kind = of AND x.target_id = of_id AND x.property = 'rights_statements/linked_agents' LIMIT 10000) x
  JOIN archival_record o ON o.kind = x.kind AND o.id = x.id AND o.repository = within
    AND (archival_report_agent_rights.suppressed OR NOT o.suppressed)
  CROSS JOIN LATERAL jsonb_array_elements(o.doc->'rights_statements') WITH ORDINALITY AS r (s, n)
  CROSS JOIN LATERAL (SELECT json_build_array(archival_report_link(o.kind, o.id, NULL, NULL)) AS list) l
  WHERE s->'linked_agents' @> jsonb_build_array(jsonb_build_object('ref', archival_uri(of, NULL, of_id)))
$$;

-- The records of a type and repository that a record is linked to, or is below or above.
CREATE OR REPLACE FUNCTION archival_report_linked(of text, of_id bigint, target text, within bigint, suppressed boolean)
RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(archival_report_link(o.kind, o.id, o.role, o.relator) ORDER BY o.id, o.role)
  FROM (SELECT t.kind, t.id, f.role, f.relator
        FROM (
          SELECT x.target_kind AS kind, x.target_id AS id, CASE of WHEN 'event' THEN x.role END AS role, NULL AS relator
          FROM archival_reference x
          WHERE x.kind = of AND x.id = of_id AND x.target_kind = target
            AND x.property IN ('linked_records', 'records', 'related_accessions', 'related_resources')
          UNION ALL
          SELECT x.kind, x.id, CASE WHEN of <> 'subject' THEN x.role END,
                 CASE WHEN of <> 'subject' THEN coalesce((
                   SELECT e->>'relator' FROM archival_record o CROSS JOIN LATERAL jsonb_array_elements(o.doc->'linked_agents') e
                   WHERE o.kind = x.kind AND o.id = x.id AND e->>'ref' = archival_uri(of, NULL, of_id)
                     AND coalesce(e->>'role', '') = x.role LIMIT 1), '') END
          FROM archival_reference x
          WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = target
            AND x.property = CASE WHEN of = 'subject' THEN 'subjects' WHEN of LIKE 'agent\_%' THEN 'linked_agents' END
          UNION ALL
          SELECT n.root_kind, n.root, NULL, NULL FROM archival_record n
          WHERE of = 'archival_object' AND target = 'resource' AND n.kind = of AND n.id = of_id
          UNION ALL
          SELECT n.kind, n.id, NULL, NULL FROM archival_record n
          WHERE of = 'resource' AND target = 'archival_object' AND n.kind = target AND n.root_kind = of AND n.root = of_id) f
        JOIN archival_record t ON t.kind = f.kind AND t.id = f.id
        LEFT JOIN archival_record r ON r.kind = t.root_kind AND r.id = t.root
        WHERE t.repository = within AND (archival_report_linked.suppressed OR NOT t.suppressed AND NOT coalesce(r.suppressed, false))
        ORDER BY t.id LIMIT 10000) o
$$;

-- The terms of a classification below a term, or at the top, with those below them and what else is wanted of classifications.
CREATE OR REPLACE FUNCTION archival_report_terms(of_root bigint, above bigint, wanted text[], within bigint, suppressed boolean)
RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_agg(m.term ORDER BY n.rank, n.id)
    FROM archival_record n
    CROSS JOIN LATERAL (
      SELECT json_object_agg(v.name, v.value ORDER BY v.n) AS term
      FROM (VALUES
        (1, 'identifier', to_json(n.doc->>'identifier'), true), (2, 'title', to_json(n.doc->>'title'), true),
        (3, 'description', to_json(n.doc->>'description'), true),
        (4, 'creator', CASE WHEN 'creator' = ANY (wanted) THEN archival_report_creators(n.kind, n.id) END, 'creator' = ANY (wanted)),
        (5, 'classification_term', archival_report_terms(of_root, n.id, wanted, within, archival_report_terms.suppressed), true),
        (6, 'accession', CASE WHEN 'accession' = ANY (wanted) THEN
           archival_report_linked(n.kind, n.id, 'accession', within, archival_report_terms.suppressed) END, 'accession' = ANY (wanted)),
        (7, 'resource', CASE WHEN 'resource' = ANY (wanted) THEN
           archival_report_linked(n.kind, n.id, 'resource', within, archival_report_terms.suppressed) END, 'resource' = ANY (wanted)))
        AS v (n, name, value, is_wanted)
      WHERE v.is_wanted) m
    WHERE n.kind = 'classification_term' AND n.root_kind = 'classification' AND n.root = of_root
      AND n.parent IS NOT DISTINCT FROM above AND (archival_report_terms.suppressed OR NOT n.suppressed));
END $$;

-- The profile of a location, and who owns the location.
CREATE OR REPLACE FUNCTION archival_report_of_location(of_id bigint, name text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(CASE name
    WHEN 'owner_repo' THEN json_build_object('_name', t.doc->>'name')
    ELSE json_build_object('name', t.doc->>'name', 'dimension_units', t.doc->>'dimension_units', 'height', t.doc->>'height',
                           'width', t.doc->>'width', 'depth', t.doc->>'depth') END ORDER BY t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = 'location' AND x.id = of_id AND x.property = name
$$;

-- All files of a digital object and its components.
CREATE OR REPLACE FUNCTION archival_report_files(of_id bigint, suppressed boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'file_uri', e->>'file_uri', 'digital_object_title', CASE h.kind WHEN 'digital_object' THEN h.doc->>'title' END,
    'digital_object_component_title', CASE h.kind WHEN 'digital_object_component' THEN h.doc->>'title' END) ORDER BY h.kind, h.id, n)
  FROM (SELECT r.kind, r.id, r.doc FROM archival_record r WHERE r.kind = 'digital_object' AND r.id = of_id
        UNION ALL
        SELECT n.kind, n.id, n.doc FROM archival_record n
        WHERE n.kind = 'digital_object_component' AND n.root_kind = 'digital_object' AND n.root = of_id
          AND (archival_report_files.suppressed OR NOT n.suppressed)
        LIMIT 10000) h
  CROSS JOIN LATERAL jsonb_array_elements(h.doc->'file_versions') WITH ORDINALITY AS l (e, n)
$$;

-- The subjects of a record: [{term, type, source, authority, scope_note}].
CREATE OR REPLACE FUNCTION archival_report_topics(of text, of_id bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object(
    'term', t.doc->>'title', 'type', archival_report_texts(t.doc->'terms', 'term_type'), 'source', t.doc->>'source',
    'authority', t.doc->>'authority_id', 'scope_note', t.doc->>'scope_note') ORDER BY t.doc->>'title', t.id)
  FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
  WHERE x.kind = of AND x.id = of_id AND x.property = 'subjects'
$$;

-- One sub-report of a record; `wanted` are all that the report has.
CREATE OR REPLACE FUNCTION archival_report_part(
  name text, of text, of_id bigint, within bigint, suppressed boolean, wanted text[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN of = 'location' AND name IN ('accession', 'resource') THEN
      archival_report_held(of_id, name, within, archival_report_part.suppressed, true)
    WHEN name IN ('accession', 'archival_object', 'digital_object', 'digital_object_component', 'resource') THEN
      archival_report_linked(of, of_id, name, within, archival_report_part.suppressed)
    WHEN name IN ('ratings', 'formats', 'conservation_issues') THEN archival_report_attributes(of_id, name)
    WHEN name IN ('surveyed_by', 'reviewer') THEN archival_report_persons(of_id, name)
    WHEN name IN ('location_profile', 'owner_repo') THEN archival_report_of_location(of_id, name)
    ELSE CASE name
      WHEN 'instance' THEN archival_report_instances(of, of_id, archival_report_part.suppressed)
      WHEN 'linked_agent' THEN archival_report_linked_agents(of, of_id)
      WHEN 'assessment' THEN archival_report_assessments(of, of_id)
      WHEN 'event' THEN archival_report_events(of, of_id, archival_report_part.suppressed)
      WHEN 'interrelated_accession' THEN archival_report_interrelated(of_id, archival_report_part.suppressed)
      WHEN 'classification' THEN archival_report_classified(of, of_id, archival_report_part.suppressed)
      WHEN 'subject' THEN archival_report_topics(of, of_id)
      WHEN 'related_agent' THEN archival_report_related_agents(of, of_id)
      WHEN 'rights_statement' THEN archival_report_agent_rights(of, of_id, within, archival_report_part.suppressed)
      WHEN 'creator' THEN archival_report_creators(of, of_id)
      WHEN 'classification_term' THEN
        archival_report_terms(of_id, NULL, wanted, within, archival_report_part.suppressed)
      WHEN 'file_version' THEN archival_report_files(of_id, archival_report_part.suppressed)
    END
  END;
END $$;
