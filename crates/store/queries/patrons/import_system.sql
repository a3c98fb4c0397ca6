-- The data for an import of users: names of address types and groups, departments, custom fields, the users with one of
-- these external system ids ($1), and which of these service points ($2) exist.
SELECT (SELECT coalesce(jsonb_object_agg(t.doc->>'addressType', t.id), '{}') FROM addresstype t) AS address_types,
       (SELECT coalesce(jsonb_object_agg(g.doc->>'group', g.id), '{}') FROM groups g) AS groups,
       (SELECT coalesce(jsonb_agg(d.doc), '[]') FROM departments d) AS departments,
       (SELECT coalesce(jsonb_agg(f.doc), '[]') FROM custom_fields f) AS custom_fields,
       (SELECT coalesce(jsonb_agg(u.doc), '[]') FROM users u
        WHERE carrel.folded_key(u.doc->>'externalSystemId') COLLATE "C"
              = ANY (ARRAY(SELECT carrel.folded_key(wanted) FROM unnest($1::text[]) AS wanted))) AS users,
       ARRAY(SELECT p.id FROM service_point p WHERE p.id = ANY ($2::uuid[])) AS service_points
