-- A record that comes back to a repository is no longer noted as deleted.
CREATE INDEX IF NOT EXISTS archival_deletion_uri ON archival_deletion (uri);

-- Sessions, memberships and the archives' view of a user end with the user.
DO $$
DECLARE
  of text;
BEGIN
  FOREACH of IN ARRAY ARRAY['archives_user', 'archives_group_member', 'archives_session'] LOOP
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = of || '_of_user' AND conrelid = of::regclass) THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE',
                     of, of || '_of_user');
    END IF;
  END LOOP;
END $$;
