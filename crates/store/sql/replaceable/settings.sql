-- The tenant's locale: what /locale was given; else the configuration entry ORG/localeSettings, where older
-- clients keep it; else FOLIO's defaults.
CREATE OR REPLACE FUNCTION tenant_locale() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  found jsonb;
BEGIN
  SELECT doc - 'id' INTO found FROM locale LIMIT 1;
  IF found IS NOT NULL THEN
    RETURN found;
  END IF;
  BEGIN
    SELECT (doc->>'value')::jsonb INTO found FROM config_data
    WHERE doc->>'module' = 'ORG' AND doc->>'configName' = 'localeSettings' AND doc->>'enabled' = 'true'
      AND doc->>'userId' IS NULL AND doc->>'code' IS NULL;
  EXCEPTION WHEN data_exception THEN
    found := NULL;
  END;
  RETURN jsonb_build_object('locale', 'en-US', 'currency', 'USD', 'timezone', 'UTC', 'numberingSystem', 'latn')
    || CASE jsonb_typeof(found) WHEN 'object' THEN jsonb_strip_nulls(jsonb_build_object('locale', found->'locale',
         'currency', found->'currency', 'timezone', found->'timezone', 'numberingSystem', found->'numberingSystem'))
       ELSE '{}' END;
END $$;

-- What happens to configuration entries is kept: I(nsert), U(pdate) with the new entry, D(elete) with the old one.
CREATE OR REPLACE FUNCTION audit_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb := CASE TG_OP WHEN 'DELETE' THEN OLD.doc ELSE NEW.doc END;
  audit uuid := carrel.new_id();
BEGIN
  INSERT INTO audit_config_data (id, doc) VALUES (audit, jsonb_build_object('id', audit,
    'operation', left(TG_OP, 1), 'config_data', entry,
    'createdDate', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER config_data_audit AFTER INSERT OR UPDATE OR DELETE ON config_data
  FOR EACH ROW EXECUTE FUNCTION audit_configuration();
