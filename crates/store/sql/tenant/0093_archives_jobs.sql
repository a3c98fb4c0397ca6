-- Jobs of the archives (decision 43): each is a record of the type `job`; here is what belongs to it. All of it goes with the
-- record. What runs it is a row of `job`.

-- In a new library the foreign keys of its first records are not checked yet.
SET CONSTRAINTS ALL IMMEDIATE;

-- The queue of jobs, and the active and the archived jobs of a repository.
CREATE INDEX archival_job_status ON archival_record ((doc->>'status'), repository, id) WHERE kind = 'job';

-- Files that came with a job.
CREATE TABLE archives_job_file (
  id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind  text COLLATE "C" NOT NULL DEFAULT 'job' CHECK (kind = 'job'),
  job   bigint NOT NULL,
  place int    NOT NULL,
  UNIQUE (job, place),
  FOREIGN KEY (kind, job) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);

-- Their content, in parts.
CREATE TABLE archives_job_part (
  file    bigint NOT NULL REFERENCES archives_job_file ON DELETE CASCADE,
  place   int    NOT NULL,
  content bytea  NOT NULL,
  PRIMARY KEY (file, place)
);

-- The log of a job; `at` is where the text begins, in bytes of UTF-8.
CREATE TABLE archives_job_log (
  kind text COLLATE "C" NOT NULL DEFAULT 'job' CHECK (kind = 'job'),
  job  bigint NOT NULL,
  at   bigint NOT NULL,
  text text   NOT NULL,
  PRIMARY KEY (job, at),
  FOREIGN KEY (kind, job) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);

-- The addresses of what a job made, in its order.
CREATE TABLE archives_job_record (
  kind  text COLLATE "C" NOT NULL DEFAULT 'job' CHECK (kind = 'job'),
  job   bigint NOT NULL,
  place bigint NOT NULL,
  uri   text   NOT NULL,
  PRIMARY KEY (job, place),
  FOREIGN KEY (kind, job) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);

-- Files that `carrel load ead` has loaded, by a digest of their content, so that it can go on where it was interrupted. A file
-- whose resource is deleted can be loaded again.
CREATE TABLE archives_loaded_file (
  repository bigint NOT NULL,
  digest     text COLLATE "C" NOT NULL,
  kind       text COLLATE "C" NOT NULL DEFAULT 'resource' CHECK (kind = 'resource'),
  resource   bigint NOT NULL,
  PRIMARY KEY (repository, digest),
  FOREIGN KEY (kind, resource) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);
CREATE INDEX archives_loaded_file_resource ON archives_loaded_file (resource);
