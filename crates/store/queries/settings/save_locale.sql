-- Saves the tenant's locale. $1 the id, $2 the record.
INSERT INTO locale (id, doc) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
