-- What follows for assessments from the attributes that are defined, and from the records assessed (contract 4.8).

-- All attributes of one type that an assessment can have, with the values and notes that it has. The research value is the
-- sum of two others.
CREATE OR REPLACE FUNCTION archival_attributes(of_type text, within bigint, given jsonb, research bigint)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'jsonmodel_type', 'assessment_attribute', 'definition_id', d.id, 'label', d.label, 'global', d.repository = 1,
      'readonly', d.readonly, 'note', g.entry->>'note',
      'value', CASE WHEN d.readonly AND d.label = 'Research Value' THEN research::text ELSE g.entry->>'value' END))
      ORDER BY d.id), '[]')
  FROM archival_attribute d
  LEFT JOIN LATERAL (
    SELECT e.entry FROM jsonb_array_elements(given) e (entry) WHERE (e.entry->>'definition_id')::bigint = d.id LIMIT 1) g ON true
  WHERE d.repository IN (1, within) AND d.type = of_type
$$;

CREATE OR REPLACE FUNCTION archival_assessment_facts(assessments bigint[])
RETURNS TABLE (id bigint, facts jsonb) LANGUAGE plpgsql STABLE ROWS 10 AS $$
BEGIN
  IF assessments IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT r.id, jsonb_build_object(
    'display_string', r.id::text,
    'formats', archival_attributes('format', r.repository, r.doc->'formats', NULL),
    'conservation_issues', archival_attributes('conservation_issue', r.repository, r.doc->'conservation_issues', NULL),
    'ratings', archival_attributes('rating', r.repository, r.doc->'ratings', v.research),
    'collections', coalesce(c.refs, '[]'))
  FROM archival_record r
  CROSS JOIN LATERAL (
    SELECT sum((e.entry->>'value')::bigint)::bigint AS research
    FROM jsonb_array_elements(r.doc->'ratings') e (entry)
    JOIN archival_attribute d ON d.id = (e.entry->>'definition_id')::bigint
    WHERE d.repository = 1 AND d.label IN ('Interest', 'Documentation Quality') AND e.entry->>'value' ~ '^[0-9]{1,9}$') v
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(DISTINCT jsonb_build_object(
             'ref', archival_uri('resource', t.repository, coalesce(t.root, t.id)))) AS refs
    FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
    WHERE x.kind = 'assessment' AND x.id = r.id AND x.property = 'records'
      AND x.target_kind IN ('archival_object', 'resource')) c
  WHERE r.kind = 'assessment' AND r.id = ANY (assessments);
END $$;
