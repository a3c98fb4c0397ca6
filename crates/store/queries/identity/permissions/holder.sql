-- A permission user. Parameters: id, whether it is the user's id.
SELECT doc FROM permissions_users WHERE (id = $1 AND NOT $2) OR (userid = $1 AND $2)
