-- Locations with what a repository has in them. $1 repository, $2 whether suppressed records are among that.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'building', r.doc->>'building', 'floor', r.doc->>'floor', 'room', r.doc->>'room',
  'area', r.doc->>'area', 'barcode', r.doc->>'barcode', 'classification_number', r.doc->>'classification',
  'location_in_room', archival_report_coordinates(r.doc),
  'accessions', archival_report_held(r.id, 'accession', $1, $2, false),
  'resources', archival_report_held(r.id, 'resource', $1, $2, false)) AS row
FROM archival_record r WHERE r.kind = 'location' ORDER BY r.id
