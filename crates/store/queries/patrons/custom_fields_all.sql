-- All custom fields, for decisions that depend on the others.
SELECT coalesce(jsonb_agg(f.doc ORDER BY (f.doc->>'order')::int, f.seq), '[]') FROM custom_fields f
