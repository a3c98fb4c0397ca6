-- Adds departments or renames them ($1: JSON array of complete records).
INSERT INTO departments (id, doc) SELECT (d->>'id')::uuid, d FROM jsonb_array_elements($1::jsonb) AS d
ON CONFLICT (id) DO UPDATE SET doc = departments.doc || excluded.doc
