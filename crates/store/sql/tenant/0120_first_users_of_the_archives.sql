-- Users that the archives start with belong to the system: they cannot be deleted, and the hidden ones are in no list.
ALTER TABLE archives_user
  ADD COLUMN is_system boolean NOT NULL DEFAULT false,
  ADD COLUMN is_hidden boolean NOT NULL DEFAULT false;

-- The groups of the hidden ones.
WITH made AS (
  INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime, system_mtime)
  SELECT 'group', nextval('archival_id_group'), 1,
         jsonb_build_object('group_code', g.code, 'description', g.description, 'grants_permissions', g.codes),
         'admin', 'admin', now(), now(), now()
  FROM (VALUES
    ('searchindex', 'Search index', '["view_repository", "view_suppressed", "view_all_records", "index_system"]'::jsonb),
    ('publicanonymous', 'Public Anonymous', '["view_repository", "view_all_records"]'),
    ('staffsystem', 'Staff System Group', '["mediate_edits"]')) AS g (code, description, codes)
  -- Somebody may have made a group of that name.
  WHERE NOT EXISTS (SELECT FROM archival_key k WHERE k.scope = 'group/1/group_code' AND k.value = g.code)
  RETURNING kind, id, doc->>'group_code' AS code)
INSERT INTO archival_key (scope, value, kind, id) SELECT 'group/1/group_code', m.code, m.kind, m.id FROM made m;
