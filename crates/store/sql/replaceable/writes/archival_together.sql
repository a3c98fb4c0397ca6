-- Changes of several records of the archives that are all made, or none.

-- Replaces records, each as change_archival takes it: [{kind, id, within, version, doc, keys, refs}]. Returns
-- {"lock_versions": [n]}, or what change_archival says of the first that cannot be replaced, with its place from 0.
-- Statement: SELECT change_archival_together($1, $2, $3)
CREATE OR REPLACE FUNCTION change_archival_together(entries jsonb, who text, at timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb;
  answer jsonb;
  place int := -1;
  versions jsonb := '[]';
BEGIN
  FOR entry IN SELECT e FROM jsonb_array_elements(entries) WITH ORDINALITY AS n (e, o) ORDER BY o LOOP
    place := place + 1;
    answer := change_archival(entry->>'kind', (entry->>'id')::bigint, (entry->>'within')::bigint, (entry->>'version')::int,
                              entry->'doc', entry->'keys', entry->'refs', NULL, who, at);
    IF NOT answer ? 'lock_version' THEN
      RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'a change was refused';
    END IF;
    versions := versions || (answer->'lock_version');
  END LOOP;
  RETURN jsonb_build_object('lock_versions', versions);
EXCEPTION WHEN SQLSTATE 'CA001' THEN
  RETURN answer || jsonb_build_object('place', place);
END $$;

-- Merges records as merge_archival does, and replaces the one that is left: {doc, keys, refs}. Returns what either says.
-- Statement: SELECT merge_archival_into($1, $2, $3, $4, $5, $6, $7, $8)
CREATE OR REPLACE FUNCTION merge_archival_into(
  of text, of_id bigint, kinds text[], ids bigint[], within bigint, new jsonb, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  answer jsonb;
BEGIN
  answer := merge_archival(of, of_id, kinds, ids, within, who, at);
  IF answer ? 'lock_version' THEN
    answer := change_archival(of, of_id, within, (answer->>'lock_version')::int, new->'doc', new->'keys', new->'refs', NULL,
                              who, at);
    IF NOT answer ? 'lock_version' THEN
      RAISE EXCEPTION USING ERRCODE = 'CA001', MESSAGE = 'a change was refused';
    END IF;
  END IF;
  RETURN answer;
EXCEPTION WHEN SQLSTATE 'CA001' THEN
  RETURN answer;
END $$;
