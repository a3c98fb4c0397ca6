-- The hashes of a user's current and previous passwords, and how many of them the library keeps. Parameter: user id.
SELECT ARRAY(SELECT hash FROM credential WHERE user_id = $1) AS present,
       ARRAY(SELECT hash FROM credential_history WHERE user_id = $1 ORDER BY replaced DESC LIMIT 100) AS last,
       (SELECT doc->>'value' FROM config_data
        WHERE carrel.folded_key(doc->>'configName') COLLATE "C" = 'password.history.number' LIMIT 1) AS remembered
