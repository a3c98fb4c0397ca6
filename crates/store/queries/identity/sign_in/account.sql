-- Who wants to sign in: by user name (case and accents not counting) or by id. With the password's hash and the
-- library's settings for failures. Parameters: user name, user id (one of them null).
SELECT u.id, coalesce(u.doc->>'username', u.id::text), coalesce((u.doc->>'active')::boolean, false), c.hash,
       login_failure_settings()
FROM users u LEFT JOIN credential c ON c.user_id = u.id
WHERE (left(carrel.fold(u.doc->>'username'), 600) COLLATE "C") = left(carrel.fold($1), 600) OR u.id = $2
ORDER BY u.id LIMIT 1
