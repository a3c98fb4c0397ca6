-- No two requests in an item's queue have the same position (docs/folio/requests.md#stored-requests). The check is
-- deferred to the end of the transaction, so that a queue can be renumbered in any order.
ALTER TABLE request ADD COLUMN IF NOT EXISTS queue_position int GENERATED ALWAYS AS ((doc->>'position')::int) STORED;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
                 WHERE conname = 'request_one_place_in_a_queue' AND conrelid = 'request'::regclass) THEN
    ALTER TABLE request ADD CONSTRAINT request_one_place_in_a_queue
      UNIQUE (itemid, queue_position) DEFERRABLE INITIALLY DEFERRED;
  END IF;
END $$;

-- Open requests by item or title: each check-out and check-in reads the item's queue.
ALTER TABLE request ADD COLUMN IF NOT EXISTS open_item uuid
  GENERATED ALWAYS AS (CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'itemId')::uuid END) STORED;
ALTER TABLE request ADD COLUMN IF NOT EXISTS open_title uuid
  GENERATED ALWAYS AS (CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'instanceId')::uuid END) STORED;
CREATE INDEX IF NOT EXISTS request_open_by_item ON request (open_item) WHERE open_item IS NOT NULL;
CREATE INDEX IF NOT EXISTS request_open_by_title ON request (open_title) WHERE open_title IS NOT NULL;

-- Whether a block was overridden for the request; for the circulation log.
ALTER TABLE request ADD COLUMN IF NOT EXISTS through_override boolean NOT NULL DEFAULT false;

-- Closed requests that still have a requester, by last change.
CREATE INDEX IF NOT EXISTS request_with_past_requester
  ON request ((coalesce(doc#>>'{metadata,updatedDate}', '') COLLATE "C"), id)
  WHERE doc->>'status' LIKE 'Closed%' AND doc ? 'requesterId';
