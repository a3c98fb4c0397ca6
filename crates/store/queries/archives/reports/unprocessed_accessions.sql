-- Accessions that no event says are processed. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date',
  'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'), 'cataloged', CASE WHEN c.notes IS NULL THEN 'No' ELSE 'Yes' END,
  'linked_resources', archival_report_resources(r.id, $2)) AS row
FROM archival_record r
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'cataloged') c
CROSS JOIN LATERAL archival_report_event(r.kind, r.id, 'processed') p
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed) AND p.notes IS NULL ORDER BY r.id
