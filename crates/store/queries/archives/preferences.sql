-- Preferences as a GET returns them. $1 repositories, $2 a user's number or null for those of all users, $3 whether those for all
-- are wanted beside those of the user.
SELECT r.record
FROM (SELECT array_agg(p.kind ORDER BY p.id) AS kinds, array_agg(p.id ORDER BY p.id) AS ids
      FROM archival_record p
      WHERE p.kind = 'preference' AND p.repository = ANY ($1::bigint[])
        AND ($2::bigint IS NULL OR (p.doc->>'user_id')::bigint = $2 OR $3::boolean AND NOT p.doc ? 'user_id')) p
CROSS JOIN LATERAL archival_records(p.kinds, p.ids) r
ORDER BY r.place
