-- Gives a record the ARKs that an administrator says: `ark` is the member of the record, `keys` what must be unique. Returns
-- '{}', or why not: {"gone": true} or {"taken": [{scope}]}.
-- Statement: SELECT set_archival_ark($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION set_archival_ark(of text, of_id bigint, within bigint, ark jsonb, keys jsonb, now timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
BEGIN
  PERFORM FROM archival_record r WHERE r.kind = of AND r.id = of_id AND r.repository = within FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{"gone": true}';
  END IF;
  refused := archival_taken(keys, of, of_id);
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('taken', refused);
  END IF;
  UPDATE archival_record r
  SET doc = r.doc - '{ark_name,external_ark_url}'::text[] || jsonb_build_object('ark_name', ark)
      || CASE WHEN (ark->>'current_is_external')::boolean THEN jsonb_build_object('external_ark_url', ark->'current')
         ELSE '{}' END,
      system_mtime = now
  WHERE r.kind = of AND r.id = of_id;
  DELETE FROM archival_key k WHERE k.kind = of AND k.id = of_id AND k.scope = 'ark';
  INSERT INTO archival_key (scope, value, kind, id) SELECT DISTINCT n->>'scope', n->>'value', of, of_id FROM jsonb_array_elements(keys) n;
  RETURN '{}';
END $$;

-- So many ARKs that no record has, each `stem` and a number.
-- Statement: SELECT next_archival_arks($1, $2)
CREATE OR REPLACE FUNCTION next_archival_arks(stem text, many int) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  found text[] := '{}';
  next text;
BEGIN
  WHILE cardinality(found) < many LOOP
    next := stem || nextval('archival_ark_number');
    -- An administrator may have given it to a record.
    IF NOT EXISTS (SELECT FROM archival_key k WHERE k.scope = 'ark' AND k.value = next) THEN
      found := found || next;
    END IF;
  END LOOP;
  RETURN found;
END $$;

-- So many new ARKs for records of a repository. `begins` is what all ARKs of the library begin with; if the repository has a
-- part of its own in them, `delimiter` follows it.
-- Statement: SELECT mint_archival_arks($1, $2, $3, $4)
CREATE OR REPLACE FUNCTION mint_archival_arks(within bigint, begins text, delimiter text, many int)
RETURNS text[] LANGUAGE sql AS $$
  SELECT next_archival_arks(begins || coalesce(nullif(r.doc->>'ark_shoulder', '') || delimiter, ''), many)
  FROM archival_record r WHERE r.kind = 'repository' AND r.id = within
$$;

-- Gives records the ARKs that a job has found for them: [{id, before, ark, key}]. `before` are the ARKs that the job has read; a
-- record that has got others meanwhile keeps those. `key` is a new ARK. Returns how many new ones were given.
-- Statement: SELECT give_archival_arks($1, $2, $3)
CREATE OR REPLACE FUNCTION give_archival_arks(of text, given jsonb, at timestamptz) RETURNS bigint LANGUAGE sql AS $$
  WITH written AS (
    UPDATE archival_record r
    SET doc = r.doc || jsonb_build_object('ark_name', g.entry->'ark'), system_mtime = at
    FROM jsonb_array_elements(given) g (entry)
    WHERE r.kind = of AND r.id = (g.entry->>'id')::bigint
      AND coalesce(r.doc->'ark_name', 'null') = g.entry->'before'
    RETURNING r.id, g.entry->>'key' AS key),
  keyed AS (
    INSERT INTO archival_key (scope, value, kind, id) SELECT 'ark', w.key, of, w.id FROM written w WHERE w.key IS NOT NULL)
  SELECT count(*) FROM written w WHERE w.key IS NOT NULL
$$;
