-- Replaces several records of the versions that a client read, all or none: entries as add_archival takes them, with `id`
-- and `version`, of types that are in no tree. Returns {} or, like change_archival, why not.
-- Statement: SELECT replace_archival($1, $2, $3)
CREATE OR REPLACE FUNCTION replace_archival(records jsonb, who text, at timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
BEGIN
  PERFORM FROM jsonb_array_elements(records) e JOIN archival_record r ON r.kind = e->>'kind' AND r.id = (e->>'id')::bigint
  ORDER BY r.kind, r.id FOR NO KEY UPDATE OF r;
  IF EXISTS (
    SELECT FROM jsonb_array_elements(records) e
    LEFT JOIN archival_record r ON r.kind = e->>'kind' AND r.id = (e->>'id')::bigint
    WHERE r.lock_version IS DISTINCT FROM (e->>'version')::int) THEN
    RETURN '{"stale": true}';
  END IF;
  SELECT jsonb_agg(uri) INTO refused
  FROM jsonb_array_elements(records) e,
       jsonb_array_elements(archival_missing(e->'refs', (e->>'repository')::bigint)) uri;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  UPDATE archival_record r
  SET doc = e->'doc', lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  FROM jsonb_array_elements(records) e WHERE r.kind = e->>'kind' AND r.id = (e->>'id')::bigint;
  DELETE FROM archival_reference x USING jsonb_array_elements(records) e
  WHERE x.kind = e->>'kind' AND x.id = (e->>'id')::bigint;
  INSERT INTO archival_reference (kind, id, property, role, target_kind, target_id)
  SELECT DISTINCT e->>'kind', (e->>'id')::bigint, f->>'property', coalesce(f->>'role', ''), f->>'kind', (f->>'id')::bigint
  FROM jsonb_array_elements(records) e, jsonb_array_elements(e->'refs') f;
  RETURN '{}';
END $$;
