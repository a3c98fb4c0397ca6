-- Resources with their instances and those of their components. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'identifier', archival_report_identifier(r.doc), 'level', r.doc->>'level',
  'date', archival_report_dates(r.doc->'dates'), '_extent', archival_report_extent(r.doc->'extents'),
  'instances', archival_report_instances(r.kind, r.id, $2)) AS row
FROM archival_record r
WHERE r.kind = 'resource' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
