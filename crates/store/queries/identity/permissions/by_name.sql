-- The named permissions as clients see them. Parameter: names.
SELECT r.doc->>'permissionName',
       (r.doc || jsonb_build_object('childOf', permission_parents(r.doc->>'permissionName'),
                                    'grantedTo', permission_holders(r.doc->>'permissionName')))
FROM permissions r WHERE (left(r.doc->>'permissionName', 600) COLLATE "C") = ANY ($1)
