-- A custom field ($1), and how many users have a value in it.
SELECT f.doc AS field,
  (SELECT count(*) FROM users u WHERE (u.doc->'customFields') ? (f.doc->>'refId')) AS users
FROM custom_fields f WHERE f.id = $1
