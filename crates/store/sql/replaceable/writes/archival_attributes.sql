-- Sets the attributes that assessments of a repository can have, beside those of all: [{id, label, type, readonly}]; with an id
-- one that is there is changed, the others that are there are removed. Returns {"in_use": true} if an assessment has one of these,
-- {"labels": [...]} if there is another attribute of that name and type, {} otherwise.
-- Statement: SELECT set_archival_attributes($1, $2)
CREATE OR REPLACE FUNCTION set_archival_attributes(within bigint, wanted jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
  kept bigint[];
BEGIN
  PERFORM FROM archival_record r WHERE r.kind = 'repository' AND r.id = within FOR NO KEY UPDATE;
  SELECT array_agg((w->>'id')::bigint) INTO kept FROM jsonb_array_elements(wanted) w WHERE w ? 'id';
  IF EXISTS (
    SELECT FROM archival_record r,
         jsonb_path_query(r.doc, '$.*[*].definition_id') used
    JOIN archival_attribute d ON d.id = (used #>> '{}')::bigint
    WHERE r.kind = 'assessment' AND r.repository = within AND d.repository = within
      AND d.id = ANY (kept) IS NOT TRUE) THEN
    RETURN '{"in_use": true}';
  END IF;
  SELECT jsonb_agg(DISTINCT d.label) INTO refused
  FROM jsonb_array_elements(wanted) w
  JOIN archival_attribute d ON d.label = w->>'label' AND d.type = w->>'type'
  WHERE d.repository = 1
     OR d.repository = within AND d.id = ANY (kept) AND d.id IS DISTINCT FROM (w->>'id')::bigint;
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('labels', refused);
  END IF;
  DELETE FROM archival_attribute d WHERE d.repository = within AND d.id = ANY (kept) IS NOT TRUE;
  UPDATE archival_attribute d
  SET label = w.entry->>'label', type = w.entry->>'type', position = w.n - 1,
      readonly = coalesce((w.entry->>'readonly')::boolean, false)
  FROM jsonb_array_elements(wanted) WITH ORDINALITY AS w (entry, n)
  WHERE d.repository = within AND d.id = (w.entry->>'id')::bigint;
  INSERT INTO archival_attribute (repository, type, label, position, readonly)
  SELECT DISTINCT ON (w.entry->>'type', w.entry->>'label')
         within, w.entry->>'type', w.entry->>'label', w.n - 1, coalesce((w.entry->>'readonly')::boolean, false)
  FROM jsonb_array_elements(wanted) WITH ORDINALITY AS w (entry, n) WHERE NOT w.entry ? 'id'
  ORDER BY w.entry->>'type', w.entry->>'label', w.n;
  RETURN '{}';
END $$;
