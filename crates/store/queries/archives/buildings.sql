-- The areas of all rooms of all floors of all buildings.
SELECT DISTINCT l.doc->>'building' AS building, coalesce(l.doc->>'floor', '[no floor]') AS floor,
       coalesce(l.doc->>'room', '[no room]') AS room, l.doc->>'area' AS area
FROM archival_record l WHERE l.kind = 'location' AND l.repository IS NULL AND l.doc ? 'building'
ORDER BY 1, 2, 3, 4
