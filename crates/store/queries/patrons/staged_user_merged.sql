-- Writes the patron ($2 id, $3 record) that a staged user ($1) becomes, and deletes the staged user.
WITH gone AS (DELETE FROM staging_users WHERE id = $1 RETURNING 1)
INSERT INTO users (id, doc) SELECT $2, $3 FROM gone
ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
