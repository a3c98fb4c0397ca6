-- The records of the inventory that containers of the archives are (decision 48) are not deleted from under them.
DO $$
DECLARE
  key record;
BEGIN
  FOR key IN SELECT * FROM (VALUES
    ('archival_circulation', 'instance_type', 'instance_type'), ('archival_circulation', 'source', 'holdings_records_source'),
    ('archival_circulation', 'material_type', 'material_type'), ('archival_circulation', 'loan_type', 'loan_type'),
    ('archival_circulation', 'location', 'location'), ('archival_building', 'location', 'location'),
    ('archival_title', 'instance', 'instance'), ('archival_holdings', 'location', 'location'),
    ('archival_holdings', 'holdings', 'holdings_record'), ('archival_box', 'item', 'item')) AS keys (of_table, of_column, target)
  LOOP
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = key.of_table::regclass
                   AND conname = format('%s_%s_fkey', key.of_table, key.of_column)) THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %I (id)', key.of_table,
                     format('%s_%s_fkey', key.of_table, key.of_column), key.of_column, key.target);
    END IF;
  END LOOP;
END $$;
-- Which containers are in the holdings.
CREATE INDEX IF NOT EXISTS archival_box_holdings ON archival_box (holdings);

-- The item of a container keeps the barcode and the holdings that the archives gave it. Other items pay for the comparison
-- alone, and the desk writes no items.
CREATE OR REPLACE FUNCTION refuse_item_of_archives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM archival_box b WHERE b.item = NEW.id AND (b.barcode, b.holdings)
             IS DISTINCT FROM (NEW.doc->>'barcode', (NEW.doc->>'holdingsRecordId')::uuid)) THEN
    RAISE EXCEPTION USING HINT = 'item_of_archives',
      MESSAGE = 'The item is a container of the archives: its barcode and its holdings change there';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER item_of_archives BEFORE UPDATE ON item
FOR EACH ROW WHEN ((OLD.doc->>'barcode', OLD.doc->>'holdingsRecordId')
                   IS DISTINCT FROM (NEW.doc->>'barcode', NEW.doc->>'holdingsRecordId'))
EXECUTE FUNCTION refuse_item_of_archives();

-- Holdings that the archives made for a collection stay its holdings, at their location and with its identifier.
CREATE OR REPLACE FUNCTION refuse_holdings_of_archives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM archival_holdings a
    JOIN archival_title t ON t.kind = a.kind AND t.id = a.id
    CROSS JOIN LATERAL archival_instances(ARRAY[a.kind], ARRAY[a.id]) n
    WHERE a.holdings = NEW.id AND (t.instance::text, a.location::text, n.call_number) IS DISTINCT FROM
      (NEW.doc->>'instanceId', NEW.doc->>'permanentLocationId', NEW.doc->>'callNumber')) THEN
    RAISE EXCEPTION USING HINT = 'holdings_of_archives',
      MESSAGE = 'The holdings are of a collection of the archives: their title, location and call number change there';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER holdings_of_archives BEFORE UPDATE ON holdings_record
FOR EACH ROW WHEN ((OLD.doc->>'instanceId', OLD.doc->>'permanentLocationId', OLD.doc->>'callNumber')
                   IS DISTINCT FROM (NEW.doc->>'instanceId', NEW.doc->>'permanentLocationId', NEW.doc->>'callNumber'))
EXECUTE FUNCTION refuse_holdings_of_archives();

-- The instance of a collection has its title.
CREATE OR REPLACE FUNCTION refuse_instance_of_archives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM archival_title t CROSS JOIN LATERAL archival_instances(ARRAY[t.kind], ARRAY[t.id]) n
    WHERE t.instance = NEW.id AND n.said->>'title' IS DISTINCT FROM NEW.doc->>'title') THEN
    RAISE EXCEPTION USING HINT = 'instance_of_archives',
      MESSAGE = 'The instance is a collection of the archives: its title changes there';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER instance_of_archives BEFORE UPDATE ON instance
FOR EACH ROW WHEN (OLD.doc->>'title' IS DISTINCT FROM NEW.doc->>'title') EXECUTE FUNCTION refuse_instance_of_archives();
