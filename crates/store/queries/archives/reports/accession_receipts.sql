-- Accessions with who gave them, and the rights. $1 repository, $2 whether suppressed ones are among them, $3 from, $4 to: days that
-- are not among them, or null.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date',
  'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'names', archival_report_names(r.kind, r.id, r.doc->'linked_agents'),
  'rights_statements', archival_report_rights(r.doc->'rights_statements', 'begin_date')) AS row
FROM archival_record r
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed)
  AND ($3::text IS NULL OR r.doc->>'accession_date' > $3) AND ($4::text IS NULL OR r.doc->>'accession_date' < $4)
ORDER BY r.id
