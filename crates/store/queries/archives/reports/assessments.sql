-- Assessments that are in use. $1 repository, $2 whether suppressed records are among those assessed, $3 from, $4 to: days that are not
-- among them, or null, $5 whether each attribute is a column of its own.
SELECT json_build_object(
  'linked_records', archival_report_assessed(r.id, $2), 'id', r.id,
  'accession_report', archival_report_flag(r.doc->'accession_report'), 'appraisal', archival_report_flag(r.doc->'appraisal'),
  'container_list', archival_report_flag(r.doc->'container_list'), 'catalog_record', archival_report_flag(r.doc->'catalog_record'),
  'control_file', archival_report_flag(r.doc->'control_file'), 'deed_of_gift', archival_report_flag(r.doc->'deed_of_gift'),
  'finding_aid_ead', archival_report_flag(r.doc->'finding_aid_ead'), 'finding_aid_online', archival_report_flag(r.doc->'finding_aid_online'),
  'finding_aid_paper', archival_report_flag(r.doc->'finding_aid_paper'), 'finding_aid_word', archival_report_flag(r.doc->'finding_aid_word'),
  'finding_aid_spreadsheet', archival_report_flag(r.doc->'finding_aid_spreadsheet'), 'related_eac_records', archival_report_flag(r.doc->'related_eac_records'),
  'surveyed_by', archival_report_people(r.id, 'surveyed_by'), 'survey_begin', r.doc->>'survey_begin',
  'survey_end', r.doc->>'survey_end', 'surveyed_duration', r.doc->>'surveyed_duration',
  'surveyed_extent', r.doc->>'surveyed_extent', 'review_required', archival_report_flag(r.doc->'review_required'),
  'reviewer', archival_report_people(r.id, 'reviewer'), 'inactive', archival_report_flag(r.doc->'inactive'),
  'sensitive_material', archival_report_flag(r.doc->'sensitive_material'), 'purpose', r.doc->>'purpose', 'scope', r.doc->>'scope',
  'general_assessment_note', r.doc->>'general_assessment_note', 'exhibition_value_note', r.doc->>'exhibition_value_note',
  'existing_description_notes', r.doc->>'existing_description_notes', 'review_note', r.doc->>'review_note',
  'monetary_value', to_char((r.doc->>'monetary_value')::numeric, 'FM999999999999999990.00'),
  'monetary_value_note', r.doc->>'monetary_value_note',
  'formats', CASE WHEN NOT $5 THEN archival_report_labels(f.facts->'formats') END, 'special_format_note', r.doc->>'special_format_note',
  'conservation_issues', CASE WHEN NOT $5 THEN archival_report_labels(f.facts->'conservation_issues') END,
  'conservation_note', r.doc->>'conservation_note',
  'ratings', CASE WHEN NOT $5 THEN archival_report_ratings(f.facts->'ratings') END,
  '_columns', CASE WHEN $5 THEN (
    SELECT json_agg(json_build_array(c.name, c.text) ORDER BY c.list, c.n, c.part)
    FROM (SELECT l.list, n, p.part, p.name, p.text
          FROM (VALUES (1, 'formats'), (2, 'conservation_issues'), (3, 'ratings')) AS l (list, member)
          CROSS JOIN LATERAL jsonb_array_elements(f.facts->l.member) WITH ORDINALITY AS e (a, n)
          CROSS JOIN LATERAL (VALUES
            (1, archival_report_column(a->>'label'), CASE WHEN a->>'value' IS NULL THEN '' ELSE 'Yes' END, l.list < 3),
            (1, archival_report_column((a->>'label') || ' Rating'), coalesce(a->>'value', ''), l.list = 3),
            (2, archival_report_column((a->>'label') || ' Note'), coalesce(a->>'note', ''),
             l.list = 3 AND a->>'label' <> 'Research Value')) AS p (part, name, text, is_there)
          WHERE p.is_there) c) END) AS row
FROM archival_record r
CROSS JOIN LATERAL archival_assessment_facts(ARRAY[r.id]) f
WHERE r.kind = 'assessment' AND r.repository = $1 AND r.doc->'inactive' IS DISTINCT FROM 'true'
  AND ($3::text IS NULL OR r.doc->>'survey_begin' > $3) AND ($4::text IS NULL OR r.doc->>'survey_begin' < $4)
ORDER BY r.id
