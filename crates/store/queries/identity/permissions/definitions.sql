-- What is known of the named permissions. Parameter: names.
SELECT doc->>'permissionName', coalesce((doc->>'mutable')::boolean, false), coalesce((doc->>'dummy')::boolean, false)
FROM permissions WHERE ((doc->>'permissionName') COLLATE "C") = ANY ($1)
