-- Saves the base URL of the tenant's pages. $1 the id, $2 the record.
INSERT INTO baseurl (id, doc) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
