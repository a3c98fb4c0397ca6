-- Tenant settings that statements read.

-- The tenant's locale: the one set through /locale; otherwise the configuration entry ORG/localeSettings, which older
-- clients use; otherwise FOLIO's defaults.
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

-- The tenant's settings for failed log-ins, from code to value (mod-login).
CREATE OR REPLACE FUNCTION login_failure_settings() RETURNS jsonb LANGUAGE sql STABLE
RETURN (SELECT jsonb_object_agg(s.doc->>'code', s.doc->>'value') FROM config_data s
        WHERE carrel.folded_key(s.doc->>'code') COLLATE "C"
              = ANY (ARRAY['login.fail.attempts', 'login.fail.timeout'])
          AND s.doc->>'code' IS NOT NULL AND s.doc->>'value' IS NOT NULL);
