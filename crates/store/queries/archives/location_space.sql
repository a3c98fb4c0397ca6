-- Locations with their profile and the profiles of the containers that are in them now. $1 ids, or null for those of a building:
-- $2 building, and as far as not null $3 floor, $4 room, $5 area.
SELECT l.id, p.doc AS profile, coalesce(h.profiles, '[]') AS held
FROM archival_record l
LEFT JOIN archival_record p ON p.kind = 'location_profile'
  AND p.id = substring(l.doc#>>'{location_profile,ref}' FROM '[0-9]+$')::bigint
LEFT JOIN LATERAL (
  SELECT jsonb_agg(f.doc || jsonb_build_object('id', f.id) ORDER BY c.id) AS profiles
  FROM archival_reference x
  JOIN archival_record c ON c.kind = x.kind AND c.id = x.id
  LEFT JOIN archival_record f ON f.kind = 'container_profile'
    AND f.id = substring(c.doc#>>'{container_profile,ref}' FROM '[0-9]+$')::bigint
  WHERE x.target_kind = 'location' AND x.target_id = l.id AND x.kind = 'top_container' AND x.property = 'container_locations'
    AND c.doc->'container_locations' @> jsonb_build_array(jsonb_build_object(
      'ref', '/locations/' || l.id, 'status', 'current'))) h ON true
WHERE l.kind = 'location' AND l.repository IS NULL
  AND CASE WHEN $1::bigint[] IS NOT NULL THEN l.id = ANY ($1)
      ELSE l.doc->>'building' = $2 AND ($3::text IS NULL OR l.doc->>'floor' = $3) AND ($4::text IS NULL OR l.doc->>'room' = $4)
           AND ($5::text IS NULL OR l.doc->>'area' = $5) END
ORDER BY l.id
