-- The hashes of a user's present and last passwords, and how many the library remembers.
-- Parameter: user id.
SELECT ARRAY(SELECT hash FROM credential WHERE user_id = $1),
       ARRAY(SELECT hash FROM credential_history WHERE user_id = $1 ORDER BY replaced DESC LIMIT 100),
       (SELECT doc->>'value' FROM config_data
        WHERE (left(carrel.fold(doc->>'configName'), 600) COLLATE "C") = 'password.history.number' LIMIT 1)
