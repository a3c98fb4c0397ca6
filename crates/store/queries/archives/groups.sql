-- Groups of a repository as a GET returns them. $1 repository, $2 an id or null, $3 a code or null, $4 whether with members.
SELECT r.record || jsonb_build_object('member_usernames', CASE WHEN $4::boolean THEN coalesce((
         SELECT jsonb_agg(lower(u.doc->>'username') ORDER BY lower(u.doc->>'username'))
         FROM archives_group_member m JOIN users u ON u.id = m.user_id WHERE m.group_id = r.id), '[]') ELSE '[]' END) AS record
FROM (SELECT array_agg(g.kind ORDER BY g.id) AS kinds, array_agg(g.id ORDER BY g.id) AS ids
      FROM archival_record g
      WHERE g.kind = 'group' AND g.repository = $1::bigint AND ($2::bigint IS NULL OR g.id = $2)
        AND ($3::text IS NULL OR g.doc->>'group_code' = $3)) g
CROSS JOIN LATERAL archival_records(g.kinds, g.ids) r
ORDER BY r.place
