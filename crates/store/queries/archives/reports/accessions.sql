-- Accessions with all that reports show of them. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date', 'provenance', r.doc->>'provenance',
  'general_note', r.doc->>'general_note', 'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'date_expression', archival_report_texts(i.dates, 'expression'), 'begin_date', archival_report_texts(i.dates, 'begin'),
  'end_date', archival_report_texts(i.dates, 'end'), 'bulk_begin_date', archival_report_texts(b.dates, 'begin'),
  'bulk_end_date', archival_report_texts(b.dates, 'end'), 'acquisition_type', r.doc->>'acquisition_type',
  'retention_rule', r.doc->>'retention_rule', 'description_note', r.doc->>'content_description',
  'condition_note', r.doc->>'condition_description', 'inventory', r.doc->>'inventory',
  'disposition_note', r.doc->>'disposition', 'restrictions_apply', archival_report_flag(r.doc->'restrictions_apply'),
  'access_restrictions', archival_report_flag(r.doc->'access_restrictions'),
  'access_restrictions_note', r.doc->>'access_restrictions_note',
  'use_restrictions', archival_report_flag(r.doc->'use_restrictions'),
  'use_restrictions_note', r.doc->>'use_restrictions_note',
  'rights_transferred', CASE WHEN t.notes IS NULL THEN 'No' ELSE 'Yes' END,
  'rights_transferred_note', nullif(t.notes, ''), 'acknowledgement_sent', CASE WHEN a.notes IS NULL THEN 'No' ELSE 'Yes' END,
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'deaccessions', archival_report_deaccessions(r.doc->'deaccessions', 'date'),
  'locations', archival_report_locations(r.kind, r.id, 'container', $2),
  'names', archival_report_names(r.kind, r.id, r.doc->'linked_agents'), 'subjects', archival_report_subjects(r.kind, r.id)) AS row
FROM archival_record r
CROSS JOIN LATERAL (SELECT jsonb_path_query_array(r.doc, '$.dates[*] ? (@.date_type == "inclusive")') AS dates) i
CROSS JOIN LATERAL (SELECT jsonb_path_query_array(r.doc, '$.dates[*] ? (@.date_type == "bulk")') AS dates) b
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'copyright_transfer') t
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'acknowledgement_sent') a
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
