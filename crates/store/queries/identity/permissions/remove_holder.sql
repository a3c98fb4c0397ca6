-- Deletes a permission user. $1 its id, or the user's if $2.
DELETE FROM permissions_users WHERE (id = $1 AND NOT $2) OR (userid = $1 AND $2)
