-- Indexes and constraints of requests, on plain columns (decision 36).

-- No two requests in an item's queue have the same position (docs/folio/requests.md#stored-requests). The check is
-- deferred to the end of the transaction, so that a queue can be renumbered in any order. Its index also finds all
-- requests for an item.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
                 WHERE conname = 'request_one_place_in_a_queue' AND conrelid = 'request'::regclass) THEN
    ALTER TABLE request ADD CONSTRAINT request_one_place_in_a_queue
      UNIQUE (itemid, queue_position) DEFERRABLE INITIALLY DEFERRED;
  END IF;
END $$;

-- Open requests by item or title: each check-out and check-in reads the item's queue.
CREATE INDEX IF NOT EXISTS request_open_by_item ON request (open_item) WHERE open_item IS NOT NULL;
CREATE INDEX IF NOT EXISTS request_open_by_title ON request (open_title) WHERE open_title IS NOT NULL;

-- Whether a block was overridden for the request; for the circulation log.
ALTER TABLE request ADD COLUMN IF NOT EXISTS through_override boolean NOT NULL DEFAULT false;

-- A plan made without values expects each status to be rare, and uses its index: clients ask for those of open requests,
-- which are few among the closed ones of years.
ALTER TABLE request ALTER COLUMN status_fold SET (n_distinct = 1000);

-- Closed requests that still have a requester, by last change: the work left for anonymization.
CREATE INDEX IF NOT EXISTS request_with_past_requester ON request (past_update, id) WHERE past_update IS NOT NULL;
