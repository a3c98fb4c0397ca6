-- How many users have a value in a custom field ($1).
SELECT count(*) FROM users u WHERE (u.doc->'customFields') ? $1::text
