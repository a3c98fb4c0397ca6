-- Marks the permissions of these products deprecated, but for the names that are defined still.
-- Parameters: products, names defined still.
UPDATE permissions p
SET doc = p.doc || jsonb_build_object('deprecated', true,
      'displayName', '(deprecated) ' || coalesce(p.doc->>'displayName', p.doc->>'permissionName'))
WHERE p.doc->>'moduleName' = ANY($1) AND p.doc->>'permissionName' <> ALL($2)
  AND NOT coalesce((p.doc->>'deprecated')::boolean, false)
