-- While nobody listens to events, the triggers that announce changes are disabled, so that the desk does not pay for
-- them, not even for asking whether somebody listens.

CREATE OR REPLACE FUNCTION event_triggers_follow() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted boolean := events_wanted();
  found record;
BEGIN
  FOR found IN
    SELECT g.tgrelid::regclass AS of_table, g.tgname AS name
    FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
    WHERE t.relnamespace = current_schema()::regnamespace AND g.tgname LIKE 'event\_%'
      AND (g.tgenabled <> 'D') <> wanted
    ORDER BY 1, 2
  LOOP
    EXECUTE format('ALTER TABLE %s %s TRIGGER %I', found.of_table, CASE WHEN wanted THEN 'ENABLE' ELSE 'DISABLE' END,
                   found.name);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION event_interest_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM event_triggers_follow();
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER interest_changed AFTER INSERT OR DELETE OR TRUNCATE ON event_interest
  FOR EACH STATEMENT EXECUTE FUNCTION event_interest_changed();

-- Whether anybody listens is a part of the configuration, which the desk has in memory.
CREATE OR REPLACE TRIGGER interest_is_configuration AFTER INSERT OR DELETE ON event_interest
  FOR EACH ROW EXECUTE FUNCTION raise_configuration_version();

SELECT event_triggers_follow();
