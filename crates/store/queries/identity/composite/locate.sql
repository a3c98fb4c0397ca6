-- Users somebody means who has forgotten the password or the name: at most two. Parameter: e-mail address, phone
-- number or user name.
SELECT u.id, coalesce(u.doc->>'username', ''), coalesce((u.doc->>'active')::boolean, false)
FROM users u
WHERE (left(carrel.fold(u.doc->>'username'), 600) COLLATE "C") = left(carrel.fold($1), 600)
   OR (left(carrel.fold(u.doc->'personal'->>'email'), 600) COLLATE "C") = left(carrel.fold($1), 600)
   OR (left(carrel.fold(u.doc->'personal'->>'phone'), 600) COLLATE "C") = left(carrel.fold($1), 600)
   OR (left(carrel.fold(u.doc->'personal'->>'mobilePhone'), 600) COLLATE "C") = left(carrel.fold($1), 600)
LIMIT 2
