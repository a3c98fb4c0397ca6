-- The user of that name, case and accents not counting. Parameter: user name.
SELECT u.id FROM users u WHERE (left(carrel.fold(u.doc->>'username'), 600) COLLATE "C") = carrel.fold($1)
