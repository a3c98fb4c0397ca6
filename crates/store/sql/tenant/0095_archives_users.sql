-- Users of the archives have what only the archives know of them, and an agent; those that the archives made say so.
ALTER TABLE archives_user
  -- Members of the contract's user that a user of the library does not have: name, title, department, additional_contact.
  ADD COLUMN profile jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN lock_version int NOT NULL DEFAULT 0,
  -- Whether the archives made the user of the library, too.
  ADD COLUMN made_here boolean NOT NULL DEFAULT false,
  ADD COLUMN changed timestamptz,
  ADD COLUMN agent_kind text COLLATE "C" NOT NULL DEFAULT 'agent_person' CHECK (agent_kind = 'agent_person'),
  ADD COLUMN agent bigint,
  ADD FOREIGN KEY (agent_kind, agent) REFERENCES archival_record (kind, id) ON DELETE SET NULL (agent);
UPDATE archives_user n SET changed = n.created;
ALTER TABLE archives_user ALTER COLUMN changed SET NOT NULL;
-- `modified_since`.
CREATE INDEX archives_user_changed ON archives_user (changed, id);
CREATE INDEX archives_user_agent ON archives_user (agent) WHERE agent IS NOT NULL;

-- The group whose members administer the archives.
WITH made AS (
  INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
  VALUES ('group', nextval('archival_id_group'), 1,
          '{"group_code": "administrators", "description": "Administrators", "grants_permissions": ["administer_system"]}',
          'admin', 'admin', now(), now(), now())
  RETURNING kind, id)
INSERT INTO archival_key (scope, value, kind, id) SELECT 'group/1/group_code', 'administrators', m.kind, m.id FROM made m;

-- The preferences of the system; what it says nothing of is as crates/archives/data/preferences.json has it.
WITH made AS (
  INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
  VALUES ('preference', nextval('archival_id_preference'), 1, '{"defaults": {}}', 'admin', 'admin', now(), now(), now())
  RETURNING kind, id)
INSERT INTO archival_key (scope, value, kind, id) SELECT 'preference/1/user_id', '', m.kind, m.id FROM made m;

-- What forms of a repository start with, and what it requires beyond the rules: the contract's default_values and
-- required_fields, by the type of the records.
CREATE TABLE archival_setting (
  kind         text COLLATE "C" NOT NULL DEFAULT 'repository' CHECK (kind = 'repository'),
  repository   bigint NOT NULL,
  setting      text COLLATE "C" NOT NULL CHECK (setting IN ('default_values', 'required_fields')),
  record_type  text COLLATE "C" NOT NULL,
  doc          jsonb NOT NULL,
  lock_version int NOT NULL DEFAULT 0,
  PRIMARY KEY (repository, setting, record_type),
  FOREIGN KEY (kind, repository) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);
