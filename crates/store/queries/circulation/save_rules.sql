-- Replaces the circulation rules (there is one record). $1 rulesAsText, $2 metadata of this change.
WITH replaced AS (
  UPDATE circulation_rules
  SET doc = doc || jsonb_build_object('rulesAsText', $1::text, 'metadata',
    $2::jsonb || (coalesce(doc->'metadata', '{}') - 'updatedDate' - 'updatedByUserId'))
  RETURNING 1)
INSERT INTO circulation_rules (id, doc)
SELECT made.id, jsonb_build_object('id', made.id, 'rulesAsText', $1::text, 'metadata', $2::jsonb)
FROM (SELECT gen_random_uuid() AS id) made
WHERE NOT EXISTS (SELECT FROM replaced)
