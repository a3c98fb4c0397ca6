-- The groups of a repository that a user of the archives is in. $1 number of the user, $2 repository.
SELECT archival_uri(g.kind, g.repository, g.id) AS uri
FROM archives_user n
JOIN archives_group_member m ON m.user_id = n.user_id
JOIN archival_record g ON g.kind = 'group' AND g.id = m.group_id AND g.repository = $2::bigint
WHERE n.id = $1::bigint ORDER BY g.id
