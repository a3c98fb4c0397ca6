-- Instances that are gone, for harvesters that ask what was deleted (folio-platform §4.8).
CREATE TABLE deleted_instance (
  id      uuid PRIMARY KEY,
  source  text,
  deleted timestamptz NOT NULL
);
CREATE INDEX deleted_instance_deleted_idx ON deleted_instance (deleted);
