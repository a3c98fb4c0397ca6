-- Whether circulation rules name the patron notice policy $1.
SELECT FROM circulation_rules c WHERE strpos(lower(c.doc->>'rulesAsText'), $1::uuid::text) > 0
