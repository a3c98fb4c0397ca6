-- The archives (decision 40): every record of archival description in one table, with what it refers to and what must
-- be unique beside it. Columns are written by the functions of writes/archives.sql.

-- A record. `doc` has the members that its clients sent and the texts derived from them alone; what follows from other
-- rows (identity, place in the tree, audit members) is in columns and joined when it is read.
CREATE TABLE archival_record (
  -- The record type, in the contract's spelling: archival_object, agent_person.
  kind             text COLLATE "C" NOT NULL,
  -- Counted for each kind, over all repositories.
  id               bigint NOT NULL,
  -- Null for records that no repository owns.
  repository       bigint,
  doc              jsonb NOT NULL,
  lock_version     int NOT NULL DEFAULT 0,
  publish          boolean NOT NULL DEFAULT false,
  suppressed       boolean NOT NULL DEFAULT false,
  created_by       text NOT NULL,
  last_modified_by text NOT NULL,
  create_time      timestamptz NOT NULL,
  -- The last change by a user, and by anybody, for example by a change of the tree above.
  user_mtime       timestamptz NOT NULL,
  system_mtime     timestamptz NOT NULL,
  -- The record at the top of the tree and the node above; both null outside trees, the node null at the first level.
  root_kind        text COLLATE "C",
  root             bigint,
  parent           bigint,
  -- The order among siblings, with gaps; equal ranks are ordered by id.
  rank             bigint,
  PRIMARY KEY (kind, id),
  UNIQUE (kind, root, id),
  FOREIGN KEY (root_kind, root) REFERENCES archival_record (kind, id),
  -- A node's parent is in the same tree. Deferred, so that a subtree can move to another tree in one statement.
  FOREIGN KEY (kind, root, parent) REFERENCES archival_record (kind, root, id) DEFERRABLE INITIALLY DEFERRED,
  CHECK ((root IS NULL) = (root_kind IS NULL) AND (root IS NULL) = (rank IS NULL)),
  CHECK (parent IS NULL OR root IS NOT NULL AND parent <> id)
);
-- Lists of a repository, and with a null repository those of global records. What else a list asks for is included, so
-- that it is counted in the index.
CREATE INDEX archival_record_list ON archival_record (kind, repository, id) INCLUDE (system_mtime, suppressed);
-- `modified_since`.
CREATE INDEX archival_record_changed ON archival_record (kind, system_mtime);
-- The children of a node in their order.
CREATE INDEX archival_record_tree ON archival_record (kind, root, parent, rank, id) WHERE root IS NOT NULL;

-- Terms by how they begin.
CREATE INDEX archival_term ON archival_record (lower(doc->>'term') COLLATE "C") WHERE kind = 'term';
-- The terms of a vocabulary.
CREATE INDEX archival_term_vocabulary ON archival_record ((doc->>'vocabulary'), id) WHERE kind = 'term';

-- Ids are counted for each kind; a gap stays where a transaction fails. Repository 1 is the one of global groups.
DO $$
DECLARE
  of text;
BEGIN
  FOREACH of IN ARRAY ARRAY[
    'accession', 'agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'archival_object',
    'assessment', 'classification', 'classification_term', 'collection_management', 'container_profile',
    'digital_object', 'digital_object_component', 'event', 'group', 'job', 'location', 'location_profile',
    'preference', 'repository', 'resource', 'subject', 'term', 'top_container', 'vocabulary']
  LOOP
    EXECUTE format('CREATE SEQUENCE %I', 'archival_id_' || of);
  END LOOP;
END $$;

-- What must be unique: identifiers within their scope, for example (resource/2/ead_id, ABC).
CREATE TABLE archival_key (
  scope text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  kind  text COLLATE "C" NOT NULL,
  id    bigint NOT NULL,
  PRIMARY KEY (scope, value),
  FOREIGN KEY (kind, id) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);
CREATE INDEX archival_key_record ON archival_key (kind, id);

-- What a record refers to. `property` is the path to the `ref` in the record without places in lists, `role` the member
-- beside the `ref`, empty without one: what an agent did for a record.
CREATE TABLE archival_reference (
  kind        text COLLATE "C" NOT NULL,
  id          bigint NOT NULL,
  property    text COLLATE "C" NOT NULL,
  role        text COLLATE "C" NOT NULL DEFAULT '',
  target_kind text COLLATE "C" NOT NULL,
  target_id   bigint NOT NULL,
  PRIMARY KEY (kind, id, property, role, target_kind, target_id),
  FOREIGN KEY (kind, id) REFERENCES archival_record (kind, id) ON DELETE CASCADE,
  FOREIGN KEY (target_kind, target_id) REFERENCES archival_record (kind, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX archival_reference_target ON archival_reference (target_kind, target_id, kind, id);

-- The repository of the groups that grant everywhere. Clients do not see it; the others count from 2.
INSERT INTO archival_record (kind, id, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
VALUES ('repository', nextval('archival_id_repository'),
        '{"repo_code": "_archivesspace", "name": "Global repository", "publish": false,
          "display_string": "Global repository (_archivesspace)"}', 'admin', 'admin', now(), now(), now());
INSERT INTO archival_key (scope, value, kind, id) VALUES ('repository/repo_code', '_archivesspace', 'repository', 1);

-- The vocabulary that subjects and terms are of.
INSERT INTO archival_record (kind, id, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
VALUES ('vocabulary', nextval('archival_id_vocabulary'), '{"ref_id": "global", "name": "global", "terms": []}',
        'admin', 'admin', now(), now(), now());
INSERT INTO archival_key (scope, value, kind, id)
VALUES ('vocabulary/ref_id', 'global', 'vocabulary', 1), ('vocabulary/name', 'global', 'vocabulary', 1);

-- The addresses of deleted records, in the order of deletion, for clients that keep copies.
CREATE TABLE archival_deletion (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uri     text NOT NULL,
  deleted timestamptz NOT NULL
);

-- Users as the archives know them; their names and passwords are those of `users` and `credential`.
CREATE TABLE archives_user (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id  uuid NOT NULL UNIQUE,
  created  timestamptz NOT NULL
);

-- Who belongs to which group; a group is a record of that kind with its permissions.
CREATE TABLE archives_group_member (
  kind     text COLLATE "C" NOT NULL DEFAULT 'group' CHECK (kind = 'group'),
  group_id bigint NOT NULL,
  user_id  uuid NOT NULL,
  PRIMARY KEY (user_id, group_id),
  FOREIGN KEY (kind, group_id) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);
CREATE INDEX archives_group_member_group ON archives_group_member (group_id);

-- Sessions of the archives' API, by a digest of their token.
CREATE TABLE archives_session (
  digest   bytea PRIMARY KEY,
  user_id  uuid NOT NULL,
  -- Ends after an hour without a request; others after a week.
  expiring boolean NOT NULL,
  used     timestamptz NOT NULL
);
CREATE INDEX archives_session_user ON archives_session (user_id);
CREATE INDEX archives_session_used ON archives_session (used);
