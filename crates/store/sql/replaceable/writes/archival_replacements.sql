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
  INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
  SELECT DISTINCT r.kind, r.id, coalesce(r.repository, 0), f->>'property', coalesce(f->>'role', ''), f->>'kind', (f->>'id')::bigint
  FROM jsonb_array_elements(records) e
  JOIN archival_record r ON r.kind = e->>'kind' AND r.id = (e->>'id')::bigint, jsonb_array_elements(e->'refs') f;
  RETURN '{}';
END $$;

-- Changes several records that the transaction has locked: entries as add_archival takes them, with `id`. Places in trees stay.
-- Returns {} or, like change_archival, why not.
-- Statement: SELECT revise_archival($1, $2, $3)
CREATE OR REPLACE FUNCTION revise_archival(records jsonb, who text, at timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
BEGIN
  SELECT jsonb_agg(uri) INTO refused
  FROM jsonb_array_elements(records) e,
       jsonb_array_elements(archival_missing(e->'refs', (e->>'repository')::bigint)) uri;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  SELECT jsonb_agg(key) INTO refused
  FROM jsonb_array_elements(records) e,
       jsonb_array_elements(archival_taken(e->'keys', e->>'kind', (e->>'id')::bigint)) key;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  UPDATE archival_record r
  SET doc = archival_managed(e->'doc', r.repository), publish = coalesce((e#>>'{doc,publish}')::boolean, false),
      lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  FROM jsonb_array_elements(records) e WHERE r.kind = e->>'kind' AND r.id = (e->>'id')::bigint;
  WITH new AS MATERIALIZED (
    SELECT r.kind, r.id, k->>'scope' AS scope, k->>'value' AS value
    FROM jsonb_array_elements(records) e
    JOIN archival_record r ON r.kind = e->>'kind' AND r.id = (e->>'id')::bigint,
         jsonb_array_elements((e->'keys') || archival_management_key(r.doc)) k),
  gone AS (
    DELETE FROM archival_key k USING jsonb_array_elements(records) e
    WHERE k.kind = e->>'kind' AND k.id = (e->>'id')::bigint
      AND NOT EXISTS (SELECT FROM new WHERE new.scope = k.scope AND new.value = k.value))
  INSERT INTO archival_key (scope, value, kind, id)
  SELECT new.scope, new.value, new.kind, new.id FROM new
  WHERE NOT EXISTS (SELECT FROM archival_key k WHERE k.scope = new.scope AND k.value = new.value);
  DELETE FROM archival_reference x USING jsonb_array_elements(records) e
  WHERE x.kind = e->>'kind' AND x.id = (e->>'id')::bigint AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(e->'refs') n
    WHERE n->>'property' = x.property AND coalesce(n->>'role', '') = x.role
      AND n->>'kind' = x.target_kind AND (n->>'id')::bigint = x.target_id);
  INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
  SELECT DISTINCT r.kind, r.id, coalesce(r.repository, 0), n->>'property', coalesce(n->>'role', ''), n->>'kind', (n->>'id')::bigint
  FROM jsonb_array_elements(records) e
  JOIN archival_record r ON r.kind = e->>'kind' AND r.id = (e->>'id')::bigint, jsonb_array_elements(e->'refs') n
  ON CONFLICT DO NOTHING;
  PERFORM mirror_archival(array_agg(e->>'kind'), array_agg((e->>'id')::bigint), at) FROM jsonb_array_elements(records) e;
  RETURN '{}';
END $$;

-- Gives records of a type the names that the server makes for them; null takes the name away. Only records whose name changes are
-- written. Returns their number.
-- Statement: SELECT name_archival($1, $2, $3, $4, $5)
CREATE OR REPLACE FUNCTION name_archival(of text, ids bigint[], slugs text[], who text, at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE archival_record r
  SET doc = (r.doc - 'slug') || jsonb_strip_nulls(jsonb_build_object('slug', a.slug, 'is_slug_auto', true)),
      lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  FROM unnest(ids, slugs) AS a (id, slug)
  WHERE r.kind = of AND r.id = a.id AND r.doc->>'slug' IS DISTINCT FROM a.slug;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;
