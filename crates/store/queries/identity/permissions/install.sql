-- Installs the permissions of modules that are enabled: those that are there already (from an earlier version,
-- as dummies, deprecated) get the new definition, and every sub-permission nobody has defined becomes a dummy.
-- Parameters: definitions as a JSON array, metadata of a new record.
WITH given AS (
  -- FOLIO's descriptors define some names twice.
  SELECT DISTINCT ON (d.value->>'permissionName')
         d.value AS doc, d.value->>'permissionName' AS name, d.ordinality AS place
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS d ORDER BY d.value->>'permissionName', d.ordinality
), renewed AS (
  UPDATE permissions p
  SET doc = (p.doc - 'description') || g.doc
            || jsonb_build_object('deprecated', false, 'metadata', (p.doc->'metadata') || ($2::jsonb - 'createdDate'))
  FROM given g WHERE (left(p.doc->>'permissionName', 600) COLLATE "C") = g.name COLLATE "C"
  RETURNING g.name
), missing AS (
  SELECT doc, name, place FROM given WHERE name NOT IN (SELECT name FROM renewed)
  UNION ALL
  SELECT jsonb_build_object('permissionName', sub, 'tags', '[]'::jsonb, 'subPermissions', '[]'::jsonb,
                            'mutable', false, 'visible', false, 'dummy', true), sub, 1000000
  FROM (SELECT DISTINCT jsonb_array_elements_text(doc->'subPermissions') AS sub FROM given) AS wanted
  WHERE sub NOT IN (SELECT name FROM given)
    AND NOT EXISTS (SELECT FROM permissions p WHERE (left(p.doc->>'permissionName', 600) COLLATE "C") = sub COLLATE "C")
)
INSERT INTO permissions (id, doc)
SELECT m.id, jsonb_build_object('id', m.id) || m.doc || jsonb_build_object('deprecated', false, 'metadata', $2::jsonb)
FROM (SELECT gen_random_uuid() AS id, doc, place FROM missing ORDER BY place, name) AS m
