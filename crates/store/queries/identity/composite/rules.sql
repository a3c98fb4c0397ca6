-- The user's name and the enabled rules for passwords, in their order. Parameter: user id (null: no user).
SELECT (SELECT coalesce(u.doc->>'username', '') FROM users u WHERE u.id = $1),
       (SELECT coalesce(jsonb_agg(r.doc ORDER BY (r.doc->>'orderNo')::int), '[]')
        FROM validation_rules r WHERE r.doc->>'state' = 'Enabled')
