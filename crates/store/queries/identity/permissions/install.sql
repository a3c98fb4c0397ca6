-- Installs the permissions of enabled modules: existing ones (of an earlier version, dummy or deprecated) get the new
-- definition, and undefined sub-permissions become dummies. Parameters: definitions as a JSON array, metadata of a new
-- record.
WITH given AS (
  -- FOLIO's descriptors define some names twice.
  SELECT DISTINCT ON (d.value->>'permissionName')
         d.value AS doc, d.value->>'permissionName' AS name, d.ordinality AS place
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS d ORDER BY d.value->>'permissionName', d.ordinality
), renewed AS (
  UPDATE permissions p
  SET doc = (p.doc - 'description') || g.doc
            || jsonb_build_object('deprecated', false, 'metadata', (p.doc->'metadata') || ($2::jsonb - 'createdDate'))
  FROM given g WHERE carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = g.name
  RETURNING g.name
), missing AS (
  SELECT doc, name, place FROM given WHERE name NOT IN (SELECT name FROM renewed)
  UNION ALL
  SELECT jsonb_build_object('permissionName', sub, 'tags', '[]'::jsonb, 'subPermissions', '[]'::jsonb,
                            'mutable', false, 'visible', false, 'dummy', true), sub, 1000000
  FROM (SELECT DISTINCT jsonb_array_elements_text(doc->'subPermissions') AS sub FROM given) AS wanted
  WHERE sub NOT IN (SELECT name FROM given)
    AND NOT EXISTS (SELECT FROM permissions p WHERE carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = sub)
)
INSERT INTO permissions (id, doc)
SELECT m.id, jsonb_build_object('id', m.id) || m.doc || jsonb_build_object('deprecated', false, 'metadata', $2::jsonb)
FROM (SELECT gen_random_uuid() AS id, doc, place FROM missing ORDER BY place, name) AS m
