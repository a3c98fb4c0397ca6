-- The agents of the users of the archives, by user names in small letters.
SELECT lower(u.doc->>'username') AS username, archival_uri('agent_person', NULL, a.agent) AS agent
FROM archives_user a JOIN users u ON u.id = a.user_id WHERE a.agent IS NOT NULL
