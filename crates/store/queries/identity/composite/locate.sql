-- The users a forgotten password or user name may belong to: at most two. Parameter: e-mail address, phone number or
-- user name.
SELECT u.id, coalesce(u.doc->>'username', '') AS username, coalesce((u.doc->>'active')::boolean, false) AS active
FROM users u
WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($1)
   OR carrel.folded_key(u.doc->'personal'->>'email') COLLATE "C" = carrel.folded_key($1)
   OR carrel.folded_key(u.doc->'personal'->>'phone') COLLATE "C" = carrel.folded_key($1)
   OR carrel.folded_key(u.doc->'personal'->>'mobilePhone') COLLATE "C" = carrel.folded_key($1)
LIMIT 2
