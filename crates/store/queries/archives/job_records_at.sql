-- The addresses at some places, from 1, among what a job made. $1 job, $2 places.
SELECT r.uri FROM archives_job_record r WHERE r.job = $1 AND r.place = ANY ($2::bigint[]) ORDER BY r.place
