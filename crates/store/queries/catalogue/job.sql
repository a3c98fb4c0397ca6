-- A query whose ids are fetched later. $1 id.
SELECT j.query, j.entity, j.status, j.created FROM search_job j WHERE j.id = $1::uuid
