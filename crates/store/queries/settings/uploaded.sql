-- Adds settings entries, or updates existing ones (same scope, key and user); $1 is a JSON array of complete entries
-- without duplicates. The returned ids show which are new.
INSERT INTO settings (id, doc)
SELECT (entry->>'id')::uuid, entry FROM jsonb_array_elements($1::jsonb) AS entry
ON CONFLICT (carrel.exact_key((doc->>'scope') || chr(31) || (doc->>'key') || chr(31) || coalesce(doc->>'userId', ''))
  COLLATE "C")
DO UPDATE SET doc = settings.doc || jsonb_build_object('value', excluded.doc->'value')
RETURNING id
