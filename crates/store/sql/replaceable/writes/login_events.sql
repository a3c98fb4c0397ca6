-- Logs log-in events if the tenant enables that: configuration entries of module EVENT_LOG, with code STATUS for the
-- log as a whole and one code for each type of event (mod-login).
CREATE OR REPLACE FUNCTION login_events_wanted(kind text) RETURNS boolean LANGUAGE sql STABLE
RETURN (SELECT coalesce(bool_or(doc->>'code' = 'STATUS'), false)
               AND (kind IS NULL OR coalesce(bool_or(doc->>'code' = kind), false))
        FROM config_data
        WHERE carrel.folded_key(doc->>'module') COLLATE "C" = 'event_log'
          AND (doc->>'enabled')::boolean);

CREATE OR REPLACE FUNCTION log_login_event(event jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new_id uuid := carrel.new_id();
BEGIN
  IF event IS NOT NULL AND login_events_wanted(event->>'eventType') THEN
    INSERT INTO event_logs (id, doc) VALUES (new_id, jsonb_build_object('id', new_id) || event);
  END IF;
END $$;
