-- Writes a setting of a repository for a type of records, with a version only over that. Returns the new version; null: it
-- is not the newest.
-- Statement: SELECT write_setting($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION write_setting(of_repository bigint, of_setting text, of_type text, new_doc jsonb, version int)
RETURNS int LANGUAGE sql AS $$
  INSERT INTO archival_setting AS s (repository, setting, record_type, doc)
  VALUES (of_repository, of_setting, of_type, new_doc)
  ON CONFLICT (repository, setting, record_type) DO UPDATE SET doc = EXCLUDED.doc, lock_version = s.lock_version + 1
  WHERE version IS NULL OR s.lock_version = version
  RETURNING s.lock_version
$$;
