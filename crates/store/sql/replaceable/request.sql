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

-- Requests that wait, by what they wait for: an item's queue is read on each check-out and check-in.
ALTER TABLE request ADD COLUMN IF NOT EXISTS open_item uuid
  GENERATED ALWAYS AS (CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'itemId')::uuid END) STORED;
ALTER TABLE request ADD COLUMN IF NOT EXISTS open_title uuid
  GENERATED ALWAYS AS (CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'instanceId')::uuid END) STORED;
CREATE INDEX IF NOT EXISTS request_open_by_item ON request (open_item) WHERE open_item IS NOT NULL;
CREATE INDEX IF NOT EXISTS request_open_by_title ON request (open_title) WHERE open_title IS NOT NULL;

-- The requests that wait for an item or its title, with who asks, by position. (In PL/pgSQL: a function in SQL is
-- planned again on each call.)
CREATE OR REPLACE FUNCTION open_requests(item_id uuid, title_id uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('request', r.doc, 'requester', u.doc) ORDER BY r.queue_position)
    FROM request r LEFT JOIN users u ON u.id = r.requesterid
    WHERE r.open_item = item_id OR r.open_title = title_id);
END $$;

-- Changes requests: each change names a request, the status it must still have, and members (null takes one away).
CREATE OR REPLACE FUNCTION change_requests(changes jsonb, stamp jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE request r
  SET doc = jsonb_strip_nulls(r.doc || new.members
            || jsonb_build_object('metadata', coalesce(r.doc->'metadata', '{}') || stamp))
  FROM jsonb_to_recordset(changes) AS new (id uuid, status text, members jsonb)
  WHERE r.id = new.id AND r.doc->>'status' = new.status;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(changes));
END $$;
