-- Adds an authority. $1 id, $2 the record.
INSERT INTO authority (id, doc) VALUES ($1::uuid, $2::jsonb)
