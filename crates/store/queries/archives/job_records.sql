-- A page of the addresses of what a job made. $1 job, $2 how many to skip, $3 how many. Returns their number in all, and the page.
SELECT (SELECT count(*) FROM archives_job_record r WHERE r.job = $1) AS total,
       ARRAY(SELECT r.uri FROM archives_job_record r WHERE r.job = $1 ORDER BY r.place OFFSET $2::bigint LIMIT $3::bigint) AS uris
