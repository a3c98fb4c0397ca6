-- What is known of the named permissions. Parameter: names.
SELECT doc->>'permissionName', coalesce((doc->>'mutable')::boolean, false), coalesce((doc->>'dummy')::boolean, false)
FROM permissions WHERE (left(doc->>'permissionName', 600) COLLATE "C") = ANY ($1)
