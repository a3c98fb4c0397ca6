-- The files that jobs gave out, by the jobs' addresses. $1 ids of jobs.
SELECT jsonb_build_object('uri', archival_uri('job', r.repository, r.id), 'files', jsonb_agg(f.id ORDER BY f.place)) AS named
FROM archives_job_file f JOIN archival_record r ON r.kind = 'job' AND r.id = f.job
WHERE f.job = ANY ($1::bigint[])
GROUP BY r.repository, r.id
