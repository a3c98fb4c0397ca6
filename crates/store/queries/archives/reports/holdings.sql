-- Locations with the containers that a repository has in them now. $1 repository, $2 whether suppressed records are among what
-- is in them, $3 what the locations must have: [{member, low, high}].
SELECT json_build_object(
  'record_title', r.doc->>'title', 'building', r.doc->>'building', 'floor', r.doc->>'floor', 'room', r.doc->>'room',
  'location_url', '/locations/' || r.id, 'location_profile', archival_report_profile(r.kind, r.id, 'location_profile'),
  'location_barcode', r.doc->>'barcode', 'location_in_room', archival_report_coordinates(r.doc),
  'containers', (
    SELECT json_agg(json_build_object(
      'top_container_indicator', c.doc->>'indicator', 'top_container_barcode', c.doc->>'barcode',
      'ils_item_id', c.doc->>'ils_item_id', 'ils_holding_id', c.doc->>'ils_holding_id',
      'container_profile', archival_report_profile(c.kind, c.id, 'container_profile'),
      'records', archival_report_in_container(c.id, $2)) ORDER BY c.id)
    FROM archival_reference x JOIN archival_record c ON c.kind = x.kind AND c.id = x.id
    WHERE x.target_kind = r.kind AND x.target_id = r.id AND x.kind = 'top_container' AND x.property = 'container_locations'
      AND c.repository = $1 AND c.doc->'container_locations' @> jsonb_build_array(
        jsonb_build_object('ref', '/locations/' || r.id, 'status', 'current')))) AS row
FROM archival_record r
WHERE r.kind = 'location' AND NOT EXISTS (
  SELECT FROM jsonb_to_recordset($3::jsonb) AS m (member text, low text, high text)
  CROSS JOIN LATERAL (SELECT lower(CASE m.member WHEN 'id' THEN r.id::text ELSE r.doc->>m.member END) AS text) v
  WHERE (v.text >= lower(m.low) AND v.text <= lower(m.high)) IS NOT TRUE)
ORDER BY r.id
