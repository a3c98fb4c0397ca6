-- The user's name and the enabled password rules, in order. Parameter: user id (null: no user).
SELECT (SELECT coalesce(u.doc->>'username', '') FROM users u WHERE u.id = $1) AS username,
       (SELECT coalesce(jsonb_agg(r.doc ORDER BY (r.doc->>'orderNo')::int), '[]')
        FROM validation_rules r WHERE r.doc->>'state' = 'Enabled') AS rules
