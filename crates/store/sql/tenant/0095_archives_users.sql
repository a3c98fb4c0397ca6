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
CREATE INDEX archives_user_agent ON archives_user (agent) WHERE agent IS NOT NULL;

-- The group whose members administer the archives.
WITH made AS (
  INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
  VALUES ('group', nextval('archival_id_group'), 1,
          '{"group_code": "administrators", "description": "Administrators", "grants_permissions": ["administer_system"]}',
          'admin', 'admin', now(), now(), now())
  RETURNING kind, id)
INSERT INTO archival_key (scope, value, kind, id) SELECT 'group/1/group_code', 'administrators', m.kind, m.id FROM made m;
