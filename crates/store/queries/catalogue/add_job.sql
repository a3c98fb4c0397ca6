-- Keeps a query whose ids are fetched later, and forgets those of a week ago. $1 id, $2 query, $3 kind of records, $4 status,
-- $5 now.
WITH forgotten AS (DELETE FROM search_job j WHERE j.created < $5::timestamptz - interval '7 days')
INSERT INTO search_job (id, query, entity, status, created) VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::timestamptz)
