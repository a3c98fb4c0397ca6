-- Moves an authority to the archive. $1 id, $2 `metadata` of the deletion.
WITH gone AS (DELETE FROM authority a WHERE a.id = $1::uuid RETURNING a.id, a.doc)
INSERT INTO authority_archive AS o (id, doc)
SELECT g.id, g.doc || jsonb_build_object(
  '_version', (g.doc->>'_version')::bigint + 1,
  'metadata', ($2::jsonb) || (coalesce(g.doc->'metadata', '{}') - '{updatedDate,updatedByUserId}'::text[]))
FROM gone g
ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
RETURNING o.id
