-- Marks the permissions of these products deprecated, except those that their product still defines. Parameters: products,
-- definitions as a JSON array.
UPDATE permissions p
SET doc = p.doc || jsonb_build_object('deprecated', true,
      'displayName', '(deprecated) ' || coalesce(p.doc->>'displayName', p.doc->>'permissionName'))
WHERE p.doc->>'moduleName' = ANY($1) AND NOT coalesce((p.doc->>'deprecated')::boolean, false)
  AND NOT EXISTS (
    SELECT FROM jsonb_array_elements($2::jsonb) d
    WHERE d->>'permissionName' = p.doc->>'permissionName' AND d->>'moduleName' = p.doc->>'moduleName')
