-- When the last holdings record or item of an instance was deleted, for harvesters (folio-platform §4.8).
CREATE TABLE deleted_content (
  instance_id uuid PRIMARY KEY,
  deleted     timestamptz NOT NULL
);
CREATE INDEX deleted_content_deleted_idx ON deleted_content (deleted);
