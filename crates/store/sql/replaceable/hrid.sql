-- The next human-readable id of a kind: instances, holdings or items (folio-platform §4.2).
CREATE OR REPLACE FUNCTION next_hrid(kind text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  settings jsonb := (SELECT doc FROM hrid_settings);
  number   text  := nextval(('hrid_' || kind || '_seq')::regclass)::text;
BEGIN
  IF (settings->>'commonRetainLeadingZeroes')::boolean THEN
    number := lpad(number, greatest(11, length(number)), '0');
  END IF;
  RETURN coalesce(settings->kind->>'prefix', '') || number;
END $$;

-- The record with a human-readable id, its own or the next one.
CREATE OR REPLACE FUNCTION with_hrid(record jsonb, kind text) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF record ? 'hrid' THEN
    RETURN record;
  END IF;
  RETURN record || jsonb_build_object('hrid', next_hrid(kind));
END $$;
