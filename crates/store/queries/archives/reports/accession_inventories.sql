-- Accessions with inventories. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
  'accession_date', r.doc->>'accession_date', 'inventory', r.doc->>'inventory',
  'date_expression', archival_report_texts(i.dates, 'expression'), 'begin_date', archival_report_texts(i.dates, 'begin'),
  'end_date', archival_report_texts(i.dates, 'end'), 'bulk_begin_date', archival_report_texts(b.dates, 'begin'),
  'bulk_end_date', archival_report_texts(b.dates, 'end'),
  'container_summary', archival_report_texts(r.doc->'extents', 'container_summary'),
  'extent_number', archival_report_extent(r.doc->'extents'), 'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'linked_resources', archival_report_resources(r.id, $2)) AS row
FROM archival_record r
CROSS JOIN LATERAL (SELECT jsonb_path_query_array(r.doc, '$.dates[*] ? (@.date_type == "inclusive")') AS dates) i
CROSS JOIN LATERAL (SELECT jsonb_path_query_array(r.doc, '$.dates[*] ? (@.date_type == "bulk")') AS dates) b
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed) AND r.doc->>'inventory' IS NOT NULL ORDER BY r.id
