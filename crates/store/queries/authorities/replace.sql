-- Replaces an authority that has not been changed since, and whose source file exists. $1 id, $2 the record, $3 the version
-- that the client knows. Answers the version that was stored (NULL: there is none), and whether there is the source file.
WITH old AS (
  SELECT a.id, a.doc, (a.doc->>'_version')::bigint AS version FROM authority a WHERE a.id = $1::uuid FOR UPDATE),
source AS (
  SELECT $2::jsonb->>'sourceFileId' IS NULL
         OR EXISTS (SELECT FROM authority_source_file f WHERE f.id = ($2::jsonb->>'sourceFileId')::uuid) AS is_there),
changed AS (
  UPDATE authority a
  SET doc = $2::jsonb || jsonb_build_object(
    'id', o.id, '_version', o.version + 1,
    'metadata', ($2::jsonb->'metadata')
                || (coalesce(o.doc->'metadata', '{}') - '{updatedDate,updatedByUserId}'::text[]))
  FROM old o, source s
  WHERE a.id = o.id AND s.is_there AND $3::bigint >= o.version)
SELECT (SELECT o.version FROM old o) AS version, s.is_there AS has_source FROM source s
