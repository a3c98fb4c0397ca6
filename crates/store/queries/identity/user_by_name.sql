-- The user with that name, ignoring case and accents. Parameter: user name.
SELECT u.id FROM users u WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($1)
