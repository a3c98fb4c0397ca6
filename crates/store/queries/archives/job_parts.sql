-- The parts of a file of a job, in their order. $1 job, $2 file or null for all of its files; then also the places of the files.
SELECT f.place, p.content FROM archives_job_file f JOIN archives_job_part p ON p.file = f.id
WHERE f.job = $1 AND ($2::bigint IS NULL OR f.id = $2) ORDER BY f.place, p.place
