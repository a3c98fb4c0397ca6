-- Resources that are restricted. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'identifier', archival_report_identifier(r.doc), 'level', r.doc->>'level',
  'dates', archival_report_dates(r.doc->'dates'), 'extent_number', archival_report_extent(r.doc)::text,
  'extent_type', archival_report_texts(r.doc->'extents', 'extent_type'),
  'locations', archival_report_locations(r.kind, r.id)) AS row
FROM archival_record r
WHERE r.kind = 'resource' AND r.repository = $1 AND ($2 OR NOT r.suppressed) AND r.doc->'restrictions' = 'true' ORDER BY r.id
