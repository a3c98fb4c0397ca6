-- Deletes a course listing with its instructors. $1 listing.
WITH instructors AS (DELETE FROM coursereserves_instructors WHERE courselistingid = $1::uuid)
DELETE FROM coursereserves_courselistings WHERE id = $1::uuid
