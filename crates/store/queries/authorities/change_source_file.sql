-- Changes a source file that still has a version. $1 id, $2 the record, $3 the version, $4 `metadata` of the change.
UPDATE authority_source_file f
SET doc = $2::jsonb || jsonb_build_object(
  '_version', $3::bigint + 1,
  'metadata', ($4::jsonb) || (coalesce(f.doc->'metadata', '{}') - '{updatedDate,updatedByUserId}'::text[]))
WHERE f.id = $1::uuid AND (f.doc->>'_version')::bigint = $3::bigint
