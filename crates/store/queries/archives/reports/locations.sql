-- Locations with what is in them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'building', r.doc->>'building', 'floor', r.doc->>'floor', 'room', r.doc->>'room',
  'area', r.doc->>'area', 'barcode', r.doc->>'barcode', 'classification_number', r.doc->>'classification',
  'location_in_room', nullif(concat_ws(', ',
    nullif(concat_ws(' ', r.doc->>'coordinate_1_label', r.doc->>'coordinate_1_indicator'), ''),
    nullif(concat_ws(' ', r.doc->>'coordinate_2_label', r.doc->>'coordinate_2_indicator'), ''),
    nullif(concat_ws(' ', r.doc->>'coordinate_3_label', r.doc->>'coordinate_3_indicator'), '')), ''),
  'accessions', archival_report_held(r.id, 'accession'), 'resources', archival_report_held(r.id, 'resource')) AS row
FROM archival_record r WHERE r.kind = 'location' ORDER BY r.id
