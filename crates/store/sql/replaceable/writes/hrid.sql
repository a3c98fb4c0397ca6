-- The next HRID of a kind: instances, holdings or items (docs/folio/inventory.md#hrids).
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

-- The record with an HRID: its own or the next one.
CREATE OR REPLACE FUNCTION with_hrid(record jsonb, kind text) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF record ? 'hrid' THEN
    RETURN record;
  END IF;
  RETURN record || jsonb_build_object('hrid', next_hrid(kind));
END $$;

-- The settings with the last number of each kind; before the first record, that is one less than the start number.
CREATE OR REPLACE FUNCTION hrid_settings_with_numbers() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  settings jsonb := (SELECT doc FROM hrid_settings);
  kind     text;
  number   bigint;
BEGIN
  FOREACH kind IN ARRAY '{instances,holdings,items}'::text[] LOOP
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM %I',
                   'hrid_' || kind || '_seq') INTO number;
    settings := jsonb_set(settings, ARRAY[kind, 'currentNumber'], to_jsonb(number));
  END LOOP;
  RETURN settings;
END $$;

-- ALTER SEQUENCE is transactional, unlike setval.
CREATE OR REPLACE FUNCTION replace_hrid_settings(settings jsonb, instances bigint, holdings bigint, items bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE hrid_settings SET doc = settings || jsonb_build_object('id', doc->'id');
  EXECUTE format('ALTER SEQUENCE hrid_instances_seq RESTART WITH %s', instances);
  EXECUTE format('ALTER SEQUENCE hrid_holdings_seq RESTART WITH %s', holdings);
  EXECUTE format('ALTER SEQUENCE hrid_items_seq RESTART WITH %s', items);
END $$;
