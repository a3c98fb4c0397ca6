-- Saves the custom fields together: deletes those in $1 with all their values (names in $2), adds or changes those in
-- $3 (JSON array), and replaces dropped options in users' values ($4: JSON array of {name, dropped: [option], instead:
-- value or null}).
WITH gone AS (DELETE FROM custom_fields WHERE id = ANY ($1::uuid[])),
saved AS (
  INSERT INTO custom_fields (id, doc)
  SELECT (field->>'id')::uuid, field FROM jsonb_array_elements($3::jsonb) AS field
  ON CONFLICT (id) DO UPDATE SET doc = excluded.doc || jsonb_build_object('metadata',
    (excluded.doc->'metadata') || jsonb_strip_nulls(jsonb_build_object(
      'createdDate', custom_fields.doc#>'{metadata,createdDate}',
      'createdByUserId', custom_fields.doc#>'{metadata,createdByUserId}')))),
change AS (
  SELECT change->>'name' AS name, ARRAY(SELECT jsonb_array_elements_text(change->'dropped')) AS dropped,
         change->'instead' AS instead
  FROM jsonb_array_elements($4::jsonb) AS change),
touched AS (
  SELECT u.id, u.doc->'customFields' AS before FROM users u
  WHERE (u.doc->'customFields') ?| ($2::text[] || ARRAY(SELECT name FROM change))),
kept AS (
  SELECT t.id, v.key, CASE
    WHEN c.name IS NULL THEN v.value
    WHEN jsonb_typeof(v.value) <> 'array' THEN
      CASE WHEN (v.value#>>'{}') = ANY (c.dropped) THEN c.instead ELSE v.value END
    WHEN NOT v.value ?| c.dropped THEN v.value
    WHEN jsonb_array_length(v.value - c.dropped) = 0 THEN c.instead
    WHEN jsonb_array_length(v.value - c.dropped) = 1 THEN (v.value - c.dropped)->0
    ELSE v.value - c.dropped END AS value
  FROM touched t CROSS JOIN jsonb_each(t.before) AS v LEFT JOIN change c ON c.name = v.key
  WHERE NOT v.key = ANY ($2::text[])),
after AS (
  SELECT t.id, t.before, coalesce((SELECT jsonb_object_agg(k.key, k.value) FROM kept k
    WHERE k.id = t.id AND jsonb_typeof(k.value) <> 'null'), '{}') AS now
  FROM touched t)
UPDATE users u SET doc = jsonb_set(u.doc, '{customFields}', after.now)
FROM after WHERE u.id = after.id AND after.now IS DISTINCT FROM after.before
