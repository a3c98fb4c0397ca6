-- Jobs of the archives (decision 43).

-- Adds a job, a record as add_archival takes it, with files: lists of parts, their places as `of_files`. It is entered in the
-- queue of jobs as `queued`. Returns its id.
-- Statement: SELECT add_archives_job($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION add_archives_job(
  record jsonb, of_files int[], parts bytea[], queued text, who text, at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  number bigint := (add_archival(jsonb_build_array(record), who, at)#>>'{ids,0}')::bigint;
BEGIN
  WITH part AS (SELECT p.file, p.content, p.n FROM unnest(of_files, parts) WITH ORDINALITY AS p (file, content, n)),
  added AS (
    INSERT INTO archives_job_file (job, place) SELECT DISTINCT number, part.file FROM part ORDER BY part.file
    RETURNING id, place)
  INSERT INTO archives_job_part (file, place, content)
  SELECT added.id, part.n, part.content FROM part JOIN added ON added.place = part.file;
  PERFORM enqueue_job(queued, jsonb_build_object('job', number));
  RETURN number;
END $$;

-- Changes members of a job if its status is one of these. Returns whether it was.
-- Statement: SELECT move_archives_job($1, $2, $3, $4)
CREATE OR REPLACE FUNCTION move_archives_job(of_id bigint, before text[], changes jsonb, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE archival_record r
  SET doc = r.doc || changes, lock_version = r.lock_version + 1, user_mtime = at, system_mtime = at
  WHERE r.kind = 'job' AND r.id = of_id AND r.doc->>'status' = ANY (before);
  RETURN FOUND;
END $$;

-- Adds to the log of a job, if it still exists.
-- Statement: SELECT log_archives_job($1, $2)
CREATE OR REPLACE FUNCTION log_archives_job(of_id bigint, text text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO archives_job_log (job, at, text)
  SELECT r.id, coalesce((SELECT l.at + octet_length(l.text) FROM archives_job_log l WHERE l.job = r.id
                         ORDER BY l.at DESC LIMIT 1), 0), log_archives_job.text
  FROM archival_record r WHERE r.kind = 'job' AND r.id = of_id AND log_archives_job.text <> ''
$$;

-- Adds an empty file that a job made behind its other files; returns its id.
-- Statement: SELECT add_archives_job_file($1)
CREATE OR REPLACE FUNCTION add_archives_job_file(of_id bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO archives_job_file (job, place)
  SELECT of_id, coalesce(max(f.place) + 1, 0) FROM archives_job_file f WHERE f.job = of_id RETURNING id
$$;

-- Adds a part to a file of a job. $1 file, $2 place of the part.
-- Statement: SELECT add_archives_job_part($1, $2, $3)
CREATE OR REPLACE FUNCTION add_archives_job_part(of_file bigint, at_place int, part bytea) RETURNS void LANGUAGE sql AS $$
  INSERT INTO archives_job_part (file, place, content) VALUES (of_file, at_place, part)
$$;
