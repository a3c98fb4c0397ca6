-- Adds a source file. $1 id, $2 the record.
INSERT INTO authority_source_file (id, doc) VALUES ($1::uuid, $2::jsonb)
