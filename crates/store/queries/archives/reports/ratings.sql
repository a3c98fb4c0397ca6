-- Assessments with some values of a rating. $1 repository, $2 whether suppressed records are among those assessed, $3 from, $4 to: days
-- that are not among them, or null, $5 the rating, $6 the values.
SELECT json_build_object(
  'linked_records', archival_report_assessed(r.id, $2), 'id', r.id, 'rating_name', a->>'value', 'rating_note', a->>'note',
  'general_assessment_note', r.doc->>'general_assessment_note', 'surveyed_by', archival_report_people(r.id, 'surveyed_by'),
  'surveyed_extent', r.doc->>'surveyed_extent', 'survey_begin', r.doc->>'survey_begin', 'survey_end', r.doc->>'survey_end') AS row
FROM archival_record r
CROSS JOIN LATERAL archival_assessment_facts(ARRAY[r.id]) f
CROSS JOIN LATERAL jsonb_array_elements(f.facts->'ratings') a
WHERE r.kind = 'assessment' AND r.repository = $1
  AND ($3::text IS NULL OR r.doc->>'survey_begin' > $3) AND ($4::text IS NULL OR r.doc->>'survey_begin' < $4)
  AND (a->>'definition_id')::bigint = $5 AND a->>'value' = ANY ($6::text[])
ORDER BY r.id
