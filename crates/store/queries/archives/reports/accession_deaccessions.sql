-- Accessions that have extents, with what was given away of them. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date',
  'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'deaccessions', archival_report_deaccessions(r.doc->'deaccessions', 'date')) AS row
FROM archival_record r
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed) AND jsonb_array_length(coalesce(r.doc->'extents', '[]')) > 0
ORDER BY r.id
