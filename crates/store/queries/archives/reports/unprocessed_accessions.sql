-- Accessions that no event says are processed. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date', 'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'cataloged', CASE WHEN archival_report_event(r.kind, r.id, 'cataloged') IS NULL THEN 'No' ELSE 'Yes' END,
  'extent_number', archival_report_extent(r.doc)::text, 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'linked_resources', archival_report_linked(r.kind, r.id, 'related_resources')) AS row
FROM archival_record r
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed)
  AND archival_report_event(r.kind, r.id, 'processed') IS NULL ORDER BY r.id
