-- Where reset links lead, as configured for mod-users-bl.
SELECT jsonb_object_agg(doc->>'code', doc->>'value') FROM config_data
WHERE (left(carrel.fold(doc->>'module'), 600) COLLATE "C") = 'usersbl'
  AND doc->>'code' IS NOT NULL AND doc->>'value' IS NOT NULL AND (doc->>'enabled')::boolean
