-- The definitions of the named permissions. Parameter: names.
SELECT doc->>'permissionName' AS name, coalesce((doc->>'mutable')::boolean, false) AS mutable,
  coalesce((doc->>'dummy')::boolean, false) AS dummy
FROM permissions WHERE carrel.exact_key(doc->>'permissionName') COLLATE "C" = ANY ($1)
