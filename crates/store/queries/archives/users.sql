-- Users of the archives as a GET returns them: a page of them, or those with the ids. $1 ids, or null; $2 changed since; $3 how
-- many to skip, $4 how many, $5 whether the last come first.
SELECT (SELECT count(*) FROM archives_user n WHERE coalesce(n.changed, n.created) >= $2::timestamptz) AS total,
       coalesce((SELECT jsonb_agg(r.record ORDER BY r.place)
                 FROM archives_user_records(ARRAY(
                   SELECT n.id FROM archives_user n
                   WHERE coalesce(n.changed, n.created) >= $2::timestamptz AND ($1::bigint[] IS NULL OR n.id = ANY ($1))
                   ORDER BY CASE WHEN $5::boolean THEN -n.id ELSE n.id END OFFSET $3::bigint LIMIT $4::bigint)) r), '[]') AS records
