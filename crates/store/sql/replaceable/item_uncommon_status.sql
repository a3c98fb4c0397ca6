-- Which items have a status that few items have (decision 12). An index on `state` would cost each check-out one entry
-- in every index of items; nearly all check-outs and check-ins go between the two common statuses, and for those the
-- triggers below are a condition that is false. The names stand in the declaration of items, too.
CREATE TABLE IF NOT EXISTS item_uncommon_status (
  record_id uuid PRIMARY KEY,
  name      text NOT NULL
);
-- Only the triggers of items write here: to look for the item once more cost as much as the entry.
ALTER TABLE item_uncommon_status DROP CONSTRAINT IF EXISTS item_uncommon_status_record_id_fkey;
CREATE INDEX IF NOT EXISTS item_uncommon_status_name ON item_uncommon_status (name);

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
