-- Marks the permissions of these products deprecated, except names that are still defined. Parameters: products, names
-- still defined.
UPDATE permissions p
SET doc = p.doc || jsonb_build_object('deprecated', true,
      'displayName', '(deprecated) ' || coalesce(p.doc->>'displayName', p.doc->>'permissionName'))
WHERE p.doc->>'moduleName' = ANY($1) AND p.doc->>'permissionName' <> ALL($2)
  AND NOT coalesce((p.doc->>'deprecated')::boolean, false)
