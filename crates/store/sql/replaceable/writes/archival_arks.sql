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
