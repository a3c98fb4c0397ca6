-- Saves a setting by name: an existing one gets the new value and keeps its id and creation. $1 id of a new one, $2 the
-- setting.
INSERT INTO circulation_settings AS s (id, doc) VALUES ($1, $2)
ON CONFLICT (carrel.exact_key(doc->>'name') COLLATE "C") DO UPDATE
SET doc = s.doc || jsonb_build_object('value', excluded.doc->'value', 'metadata',
  (excluded.doc->'metadata') || (coalesce(s.doc->'metadata', '{}') - 'updatedDate' - 'updatedByUserId'))
RETURNING id, doc::text AS record
