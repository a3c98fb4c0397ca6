-- The records a user refers to, in one row: which of the address types ($1) and departments ($3) are missing, whether
-- the patron group ($2) exists, and the custom fields with these names ($4).
SELECT ARRAY(SELECT wanted FROM unnest($1::uuid[]) AS wanted
             WHERE NOT EXISTS (SELECT FROM addresstype t WHERE t.id = wanted)) AS address_types,
       $2::uuid IS NULL OR EXISTS (SELECT FROM groups g WHERE g.id = $2) AS group_exists,
       ARRAY(SELECT wanted FROM unnest($3::uuid[]) AS wanted
             WHERE NOT EXISTS (SELECT FROM departments d WHERE d.id = wanted)) AS departments,
       coalesce((SELECT jsonb_agg(f.doc) FROM custom_fields f WHERE f.doc->>'refId' = ANY ($4::text[])), '[]')
         AS custom_fields
