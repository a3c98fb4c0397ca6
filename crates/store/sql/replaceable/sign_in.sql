-- The library's settings for failed log-ins, code to value (mod-login).
CREATE OR REPLACE FUNCTION login_failure_settings() RETURNS jsonb LANGUAGE sql STABLE
RETURN (SELECT jsonb_object_agg(s.doc->>'code', s.doc->>'value') FROM config_data s
        WHERE (left(carrel.fold(s.doc->>'code'), 600) COLLATE "C")
              = ANY (ARRAY['login.fail.attempts', 'login.fail.timeout'])
          AND s.doc->>'code' IS NOT NULL AND s.doc->>'value' IS NOT NULL);
