-- Adds authorities, and replaces those that are there and have not been changed since; of several with one id the last counts. $1 the
-- records. Answers those that were refused: the place in $1, whether the source file exists, the version that is stored (NULL: none), and
-- the one that was sent.
WITH sent AS MATERIALIZED (
  SELECT DISTINCT ON (s.doc->>'id') s.place, (s.doc->>'id')::uuid AS id, s.doc, (s.doc->>'sourceFileId')::uuid AS source,
         (s.doc->>'_version')::bigint AS version
  FROM unnest($1::jsonb[]) WITH ORDINALITY AS s (doc, place)
  ORDER BY s.doc->>'id', s.place DESC),
old AS MATERIALIZED (
  SELECT a.id, a.doc, (a.doc->>'_version')::bigint AS version
  FROM authority a WHERE a.id IN (SELECT s.id FROM sent s) ORDER BY a.id FOR UPDATE),
checked AS MATERIALIZED (
  SELECT s.place, s.id, s.doc, s.version, o.doc AS old, o.version AS stored,
         s.source IS NULL OR EXISTS (SELECT FROM authority_source_file f WHERE f.id = s.source) AS has_source
  FROM sent s LEFT JOIN old o ON o.id = s.id),
added AS (
  INSERT INTO authority (id, doc)
  SELECT c.id, c.doc || '{"_version": 0}' FROM checked c WHERE c.has_source AND c.stored IS NULL),
changed AS (
  UPDATE authority a
  SET doc = c.doc || jsonb_build_object(
    '_version', c.stored + 1,
    'metadata', (c.doc->'metadata')
                || (coalesce(c.old->'metadata', '{}') - '{updatedDate,updatedByUserId}'::text[]))
  FROM checked c
  WHERE a.id = c.id AND c.has_source AND c.version >= c.stored)
SELECT c.place, c.has_source, c.stored, c.version AS sent
FROM checked c WHERE NOT c.has_source OR c.version < c.stored ORDER BY c.place
