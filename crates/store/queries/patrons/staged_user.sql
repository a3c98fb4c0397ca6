-- A staged user ($1), the patron it matches ($2, may be null), and the data needed to turn it into a patron.
SELECT (SELECT s.doc FROM staging_users s WHERE s.id = $1) AS staged,
       (SELECT u.doc FROM users u WHERE u.id = $2) AS patron,
       (SELECT t.id FROM addresstype t WHERE t.doc->>'addressType' = 'Home') AS home,
       (SELECT g.id FROM groups g WHERE g.doc->>'group' = 'Remote Non-circulating') AS patron_group
