-- Settings of password reset links, as configured for mod-users-bl.
SELECT jsonb_object_agg(doc->>'code', doc->>'value') FROM config_data
WHERE carrel.folded_key(doc->>'module') COLLATE "C" = 'usersbl'
  AND doc->>'code' IS NOT NULL AND doc->>'value' IS NOT NULL AND (doc->>'enabled')::boolean
