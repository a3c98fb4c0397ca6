-- The rules of links, as clients read them; all of them, or one. $1 its id, or NULL.
SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
  'id', r.id, 'bibField', r.bib_field, 'authorityField', r.authority_field,
  'authoritySubfields', string_to_array(r.subfields, NULL), 'subfieldModifications', r.modifications,
  'validation', CASE WHEN r.existence IS NOT NULL THEN
    jsonb_build_object('existence', jsonb_build_array(r.existence)) END,
  'autoLinkingEnabled', r.auto_linking)) ORDER BY r.id), '[]')
FROM linking_rule r WHERE $1::integer IS NULL OR r.id = $1::integer
