-- A user as the archives show one. $1 user.
SELECT n.id AS number, u.doc->>'username' AS username, n.created,
       coalesce(nullif(concat_ws(' ', u.doc#>>'{personal,firstName}', u.doc#>>'{personal,lastName}'), ''),
                u.doc->>'username', '') AS name
FROM archives_user n JOIN users u ON u.id = n.user_id WHERE n.user_id = $1
