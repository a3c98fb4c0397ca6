-- Notes what a job made. $1 job, $2 addresses.
INSERT INTO archives_job_record (job, place, uri)
SELECT $1, a.place, a.uri FROM unnest($2::text[]) WITH ORDINALITY AS a (uri, place)
