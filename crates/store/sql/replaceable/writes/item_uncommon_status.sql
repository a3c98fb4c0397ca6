-- Items with a rare status (decision 12). Nearly all check-outs and check-ins switch between the two common statuses,
-- for which the triggers below only evaluate a false condition. The declaration of items lists the same statuses.

CREATE OR REPLACE FUNCTION keep_uncommon_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  status text := NEW.state#>>'{status,name}';
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM item_uncommon_status WHERE record_id = OLD.id;
  ELSIF status NOT IN ('Available', 'Checked out') THEN
    INSERT INTO item_uncommon_status (record_id, name) VALUES (NEW.id, status)
    ON CONFLICT (record_id) DO UPDATE SET name = EXCLUDED.name;
  ELSE
    DELETE FROM item_uncommon_status WHERE record_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'item_uncommon_status_new' AND tgrelid = 'item'::regclass) THEN
    INSERT INTO item_uncommon_status (record_id, name)
    SELECT id, state#>>'{status,name}' FROM item
    WHERE state#>>'{status,name}' NOT IN ('Available', 'Checked out')
    ON CONFLICT DO NOTHING;
  END IF;
END $$;
CREATE OR REPLACE TRIGGER item_uncommon_status_new AFTER INSERT ON item FOR EACH ROW
  WHEN (NEW.state#>>'{status,name}' NOT IN ('Available', 'Checked out'))
  EXECUTE FUNCTION keep_uncommon_status();
CREATE OR REPLACE TRIGGER item_uncommon_status_changed AFTER UPDATE ON item FOR EACH ROW
  WHEN (OLD.state#>>'{status,name}' IS DISTINCT FROM NEW.state#>>'{status,name}'
        AND (OLD.state#>>'{status,name}' NOT IN ('Available', 'Checked out')
             OR NEW.state#>>'{status,name}' NOT IN ('Available', 'Checked out')))
  EXECUTE FUNCTION keep_uncommon_status();
CREATE OR REPLACE TRIGGER item_uncommon_status_gone AFTER DELETE ON item FOR EACH ROW
  WHEN (OLD.state#>>'{status,name}' NOT IN ('Available', 'Checked out'))
  EXECUTE FUNCTION keep_uncommon_status();
