-- Lets the ids of a query be fetched, once. $1 id. Answers its status before.
WITH before AS (SELECT j.id, j.query, j.entity, j.status FROM search_job j WHERE j.id = $1::uuid FOR UPDATE),
taken AS (UPDATE search_job j SET status = 'DEPRECATED' FROM before b WHERE j.id = b.id AND b.status = 'COMPLETED')
SELECT b.query, b.entity, b.status FROM before b
