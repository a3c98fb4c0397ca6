-- Names of users who have a password, except those of the system, by how they begin. $1 the beginning, with wildcards escaped; $2 how many.
SELECT lower(u.doc->>'username') AS username FROM users u
WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" LIKE carrel.folded_key($1) || '%'
  AND EXISTS (SELECT FROM credential c WHERE c.user_id = u.id)
  AND NOT EXISTS (SELECT FROM archives_user n WHERE n.user_id = u.id AND n.is_system)
ORDER BY carrel.folded_key(u.doc->>'username') COLLATE "C" LIMIT $2::bigint
