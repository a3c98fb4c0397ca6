-- Containers that circulate (decision 48). Rows are written by the functions of writes/circulating_containers.sql; the foreign
-- keys to records of the inventory are in tables/circulating_containers.sql.

-- What earlier migrations of the same transaction wrote is checked now: PostgreSQL alters no table that waits for checks.
SET CONSTRAINTS ALL IMMEDIATE;

-- The repositories whose containers circulate: each of their containers that has a barcode is an item. What new records of
-- the inventory get.
CREATE TABLE archival_circulation (
  kind          text COLLATE "C" NOT NULL DEFAULT 'repository' CHECK (kind = 'repository'),
  repository    bigint PRIMARY KEY,
  instance_type uuid NOT NULL,
  source        uuid NOT NULL,
  material_type uuid NOT NULL,
  loan_type     uuid NOT NULL,
  -- Of containers in no building named below.
  location      uuid NOT NULL,
  FOREIGN KEY (kind, repository) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);

-- The locations of the inventory for the buildings that the archives' locations name.
CREATE TABLE archival_building (
  repository bigint NOT NULL REFERENCES archival_circulation ON DELETE CASCADE,
  building   text COLLATE "C" NOT NULL,
  location   uuid NOT NULL,
  PRIMARY KEY (repository, building)
);

-- The instance of a collection (a resource, an accession) with containers that circulate; that of a repository has those in
-- no collection. `instance` is null only within the transaction that makes it.
CREATE TABLE archival_title (
  kind     text COLLATE "C" NOT NULL,
  id       bigint NOT NULL,
  instance uuid UNIQUE,
  PRIMARY KEY (id, kind),
  -- Deferred, as the next ones: triggers tidy up after the statement that deletes the record.
  FOREIGN KEY (kind, id) REFERENCES archival_record (kind, id) DEFERRABLE INITIALLY DEFERRED
);

-- Its holdings at a location.
CREATE TABLE archival_holdings (
  kind     text COLLATE "C" NOT NULL,
  id       bigint NOT NULL,
  location uuid NOT NULL,
  holdings uuid UNIQUE,
  PRIMARY KEY (id, kind, location),
  FOREIGN KEY (kind, id) REFERENCES archival_title (kind, id) ON DELETE CASCADE
);

-- The item that a container is, and what the item has of it.
CREATE TABLE archival_box (
  kind      text COLLATE "C" NOT NULL DEFAULT 'top_container' CHECK (kind = 'top_container'),
  container bigint PRIMARY KEY,
  item      uuid NOT NULL UNIQUE,
  holdings  uuid NOT NULL,
  barcode   text,
  FOREIGN KEY (kind, container) REFERENCES archival_record (kind, id) DEFERRABLE INITIALLY DEFERRED
);
