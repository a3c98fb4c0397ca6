-- A custom field ($1), and how many users have chosen an option ($2) of it, alone or in a list.
SELECT f.doc AS field, (
  SELECT count(*) FROM users u
  WHERE (u.doc->'customFields') @> jsonb_build_object(f.doc->>'refId', $2::text)
     OR (u.doc->'customFields') @> jsonb_build_object(f.doc->>'refId', jsonb_build_array($2::text))) AS users
FROM custom_fields f WHERE f.id = $1
