-- The queue of an item never has two requests at one position (folio-circulation §6.2). The check waits for the end
-- of the transaction, so that a queue can be renumbered in any order.
ALTER TABLE request ADD COLUMN IF NOT EXISTS queue_position int GENERATED ALWAYS AS ((doc->>'position')::int) STORED;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
                 WHERE conname = 'request_one_place_in_a_queue' AND conrelid = 'request'::regclass) THEN
    ALTER TABLE request ADD CONSTRAINT request_one_place_in_a_queue
      UNIQUE (itemid, queue_position) DEFERRABLE INITIALLY DEFERRED;
  END IF;
END $$;
