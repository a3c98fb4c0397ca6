-- Accessions with their agents, subjects and classifications. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date', 'restrictions_apply', archival_report_flag(r.doc->'restrictions_apply'),
  'access_restrictions', archival_report_flag(r.doc->'access_restrictions'),
  'access_restrictions_note', r.doc->>'access_restrictions_note',
  'use_restrictions', archival_report_flag(r.doc->'use_restrictions'), 'use_restrictions_note', r.doc->>'use_restrictions_note',
  'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'accession_processed', CASE WHEN p.notes IS NULL THEN 'No' ELSE 'Yes' END, 'accession_processed_date', nullif(p.dates, ''),
  'cataloged', CASE WHEN c.notes IS NULL THEN 'No' ELSE 'Yes' END,
  'rights_transferred', CASE WHEN t.notes IS NULL THEN 'No' ELSE 'Yes' END, 'rights_transferred_note', nullif(t.notes, ''),
  'names', archival_report_names(r.kind, r.id, r.doc->'linked_agents'), 'subjects', archival_report_subjects(r.kind, r.id),
  'classifications', archival_report_classifications(r.kind, r.id, $2)) AS row
FROM archival_record r
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'copyright_transfer') t
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'processed') p
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'cataloged') c
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
