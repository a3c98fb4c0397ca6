-- The account that signs in, by user name (ignoring case and accents) or id, with the password's hash and the library's
-- settings for failures. Parameters: user name, user id (one of them null).
SELECT u.id, coalesce(u.doc->>'username', u.id::text) AS username,
       coalesce((u.doc->>'active')::boolean, false) AS active, c.hash, login_failure_settings() AS limits
FROM users u LEFT JOIN credential c ON c.user_id = u.id
WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($1) OR u.id = $2
ORDER BY u.id LIMIT 1
