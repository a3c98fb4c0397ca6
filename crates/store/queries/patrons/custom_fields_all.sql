-- Every custom field, for decisions that need to know the others.
SELECT coalesce(jsonb_agg(f.doc ORDER BY (f.doc->>'order')::int, f.seq), '[]') FROM custom_fields f
