-- Locations with what a repository has in them, and in which containers. $1 repository, $2 whether suppressed records are among that.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'temporary_location', r.doc->>'temporary', 'building', r.doc->>'building',
  'floor', r.doc->>'floor', 'room', r.doc->>'room', 'area', r.doc->>'area', 'location_barcode', r.doc->>'barcode',
  'location_in_room', archival_report_coordinates(r.doc),
  'location_profile', archival_report_profile(r.kind, r.id, 'location_profile'),
  'resources', archival_report_held(r.id, 'resource', $1, $2, true),
  'accessions', archival_report_held(r.id, 'accession', $1, $2, true)) AS row
FROM archival_record r WHERE r.kind = 'location' ORDER BY r.id
