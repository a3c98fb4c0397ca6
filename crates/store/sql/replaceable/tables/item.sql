-- Which items have a status that few items have (decision 12): what changes an item's state keeps it.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'item_uncommon_status_item_fkey'
                 AND conrelid = 'item_uncommon_status'::regclass) THEN
    ALTER TABLE item_uncommon_status ADD CONSTRAINT item_uncommon_status_item_fkey
      FOREIGN KEY (record_id) REFERENCES item_state (id) ON DELETE CASCADE;
  END IF;
END $$;
