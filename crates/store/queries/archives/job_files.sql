-- The ids of the files of a job. $1 job.
SELECT f.id FROM archives_job_file f WHERE f.job = $1 ORDER BY f.place
