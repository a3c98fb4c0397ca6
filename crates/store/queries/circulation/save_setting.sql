-- Keeps a setting by its name: a known one gets the new value and keeps its id and creation.
-- $1 id for a new one, $2 the setting.
INSERT INTO circulation_settings AS s (id, doc) VALUES ($1, $2)
ON CONFLICT ((left((doc->>'name'), 600)) COLLATE "C") DO UPDATE
SET doc = s.doc || jsonb_build_object('value', excluded.doc->'value', 'metadata',
  (excluded.doc->'metadata') || (coalesce(s.doc->'metadata', '{}') - 'updatedDate' - 'updatedByUserId'))
RETURNING id, doc::text
