-- How many users have an option ($2) in a custom field ($1), alone or in a list.
SELECT count(*) FROM users u
WHERE (u.doc->'customFields') @> jsonb_build_object($1::text, $2::text)
   OR (u.doc->'customFields') @> jsonb_build_object($1::text, jsonb_build_array($2::text))
