-- What has changed in the archives, for indexes that processes keep of them (decision 44). Rows are written by the triggers
-- of tables/archival_changes.sql, read by snapshots and deleted after days.
CREATE TABLE archival_change (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind    text COLLATE "C" NOT NULL,
  id      bigint NOT NULL,
  -- Whether records that refer to it may look different, too.
  around  boolean NOT NULL,
  -- Whether records below it in a tree may.
  below   boolean NOT NULL,
  -- The transaction that made the change, and when it began.
  made    xid8 NOT NULL,
  at      timestamptz NOT NULL
);
CREATE INDEX archival_change_made ON archival_change (made);
