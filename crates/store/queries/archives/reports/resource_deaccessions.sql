-- Resources with what was given away of them. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'identifier', archival_report_identifier(r.doc), 'level', r.doc->>'level',
  'date_expression', archival_report_dates(r.doc->'dates'), '_extent', archival_report_extent(r.doc->'extents'),
  'deaccessions', archival_report_deaccessions(r.doc->'deaccessions', 'deaccession_date')) AS row
FROM archival_record r
WHERE r.kind = 'resource' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
