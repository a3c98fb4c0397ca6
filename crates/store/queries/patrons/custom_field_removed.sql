-- Deletes a custom field ($1) with all its values; the fields after it move up by one.
WITH gone AS (DELETE FROM custom_fields WHERE id = $1 RETURNING doc),
cleaned AS (
  UPDATE users u SET doc = jsonb_set(u.doc, '{customFields}', (u.doc->'customFields') - (gone.doc->>'refId'))
  FROM gone WHERE (u.doc->'customFields') ? (gone.doc->>'refId')),
renumbered AS (
  UPDATE custom_fields f SET doc = f.doc || jsonb_build_object('order', (f.doc->>'order')::int - 1)
  FROM gone WHERE f.id <> $1 AND (f.doc->>'order')::int > (gone.doc->>'order')::int)
SELECT EXISTS (SELECT FROM gone) AS found
