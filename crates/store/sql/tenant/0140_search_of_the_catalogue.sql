-- What has changed in the catalogue, for indexes that processes keep of it (decision 57). Rows are written by the triggers of
-- tables/catalogue_changes.sql and by what changes the states of items, read by snapshots and deleted after days.
CREATE TABLE catalogue_change (
  -- The transaction that made the change.
  made     xid8 NOT NULL,
  seq      bigint GENERATED ALWAYS AS IDENTITY,
  -- What looks different: an instance, or that of an item; with neither, what `scope` says.
  instance uuid,
  item     uuid,
  -- 'everything' or 'settings'.
  scope    text,
  at       timestamptz NOT NULL DEFAULT now(),
  -- The only index, because the desk writes here.
  PRIMARY KEY (made, seq)
);

-- Languages whose words are searched in their basic forms.
CREATE TABLE search_language (
  code     text PRIMARY KEY,
  analyzer text
);
INSERT INTO search_language (code) VALUES ('eng');

CREATE TABLE search_feature (
  feature text PRIMARY KEY,
  enabled boolean NOT NULL
);

-- Queries whose ids are fetched later, once.
CREATE TABLE search_job (
  id      uuid PRIMARY KEY,
  query   text NOT NULL,
  entity  text NOT NULL,
  status  text NOT NULL,
  created timestamptz NOT NULL
);
