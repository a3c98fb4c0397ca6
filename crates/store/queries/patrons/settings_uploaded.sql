-- Adds settings entries or gives those that are there (same scope, key and user) a new value; $1 is a JSON array
-- of complete entries without doubles. The ids in the answer tell which are new.
INSERT INTO settings (id, doc)
SELECT (entry->>'id')::uuid, entry FROM jsonb_array_elements($1::jsonb) AS entry
ON CONFLICT ((left(((doc->>'scope') || chr(31) || (doc->>'key') || chr(31) || coalesce(doc->>'userId', '')), 600))
  COLLATE "C")
DO UPDATE SET doc = settings.doc || jsonb_build_object('value', excluded.doc->'value')
RETURNING id
