-- What clients of the archives keep or ask beside records.

-- What earlier migrations of the same transaction wrote is checked now: PostgreSQL indexes no table that waits for checks.
SET CONSTRAINTS ALL IMMEDIATE;

-- Templates for entering many components at once.
CREATE SEQUENCE archival_id_rde_template;

-- Records by their names in addresses of the public site.
CREATE INDEX archival_slug ON archival_record ((doc->>'slug')) WHERE doc ? 'slug';

-- Who is editing which record, as clients say from time to time.
CREATE TABLE archives_edit (
  uri      text        NOT NULL,
  -- Of a record, if it is the address of one.
  kind     text COLLATE "C",
  id       bigint,
  operator text        NOT NULL,
  at       timestamptz NOT NULL,
  PRIMARY KEY (uri, operator)
);
