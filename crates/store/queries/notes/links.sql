-- Adds a link ($2: {id, type}) to notes or removes it, as listed in $1 (JSON array of {id, status}); notes without any
-- remaining link are deleted.
WITH wanted AS (
  SELECT DISTINCT ON (id) (entry->>'id')::uuid AS id, entry->>'status' AS status
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS entries (entry, place)
  ORDER BY id, place),
linked AS (
  SELECT n.id, CASE
    WHEN w.status = 'UNASSIGNED' THEN
      (SELECT coalesce(jsonb_agg(link), '[]') FROM jsonb_array_elements(n.doc->'links') AS link WHERE link <> $2::jsonb)
    WHEN n.doc->'links' @> jsonb_build_array($2::jsonb) THEN n.doc->'links'
    ELSE (n.doc->'links') || $2::jsonb END AS links
  FROM note n JOIN wanted w USING (id)),
gone AS (DELETE FROM note n USING linked l WHERE n.id = l.id AND l.links = '[]')
UPDATE note n SET doc = jsonb_set(n.doc, '{links}', l.links) FROM linked l WHERE n.id = l.id AND l.links <> '[]'
