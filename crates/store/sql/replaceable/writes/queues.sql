-- The queues of items and titles (docs/folio/request-queues.md).

-- An item, and the items of a title; either may be null.
CREATE OR REPLACE FUNCTION items_of_queue(item_id uuid, title_id uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT item_id WHERE item_id IS NOT NULL
  UNION
  SELECT i.id FROM holdings_record h JOIN item i ON i.holdingsrecordid = h.id WHERE h.instanceid = title_id
$$;

-- Locks an item and the items of a title, in order: check-outs and check-ins of them wait, and then decide again.
CREATE OR REPLACE FUNCTION hold_items(item_id uuid, title_id uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM item_state s WHERE s.id IN (SELECT q.id FROM items_of_queue(item_id, title_id) AS q (id))
  ORDER BY s.id FOR NO KEY UPDATE;
END $$;

-- Raises the count of queue changes of each item whose queue these requests join, so that a check-out or check-in that
-- was decided with an empty queue fails. The items are locked in order. A request that already waits for a title and is now
-- given an item joins no other queue: a check-in gives it the item while it holds the lock of the title, for which those
-- wait who hold the other items.
CREATE OR REPLACE FUNCTION join_queues(docs jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH held AS MATERIALIZED (
    SELECT s.id FROM item_state s
    WHERE s.id IN (SELECT q.id
                   FROM unnest(docs) AS new (doc) LEFT JOIN request r ON r.id = (new.doc->>'id')::uuid,
                     request_columns(new.doc) c,
                     items_of_queue(nullif(c.open_item, r.open_item), nullif(c.open_title, r.open_title)) AS q (id))
    ORDER BY s.id FOR NO KEY UPDATE)
  UPDATE item_state s SET queue = s.queue + 1 FROM held WHERE s.id = held.id;
END $$;

-- Locks the queue of an item and its title until the end of the transaction, and refuses if it differs from the one
-- that was read: [[id, position, status], …] by id. Everyone who changes a queue, or decides by it, takes this lock;
-- the advisory lock on the title covers queues without rows. Nearly every queue is empty, which costs two index
-- look-ups.
CREATE OR REPLACE FUNCTION hold_queue(item_id uuid, title_id uuid, was jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_is jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(coalesce(title_id, item_id)::text, 0));
  IF was = '[]' THEN
    IF EXISTS (SELECT FROM request r WHERE r.open_item = item_id)
       OR EXISTS (SELECT FROM request r WHERE r.open_title = title_id) THEN
      PERFORM refuse_stale(true);
    END IF;
    RETURN;
  END IF;
  PERFORM FROM request r WHERE r.open_item = item_id OR r.open_title = title_id ORDER BY r.id FOR UPDATE;
  SELECT coalesce(jsonb_agg(jsonb_build_array(r.id, r.queue_position, r.doc->'status') ORDER BY r.id), '[]') INTO now_is
  FROM request r WHERE r.open_item = item_id OR r.open_title = title_id;
  PERFORM refuse_stale(now_is <> was);
END $$;

-- Changes the requests of one queue: `read` is the queue on which the decision was based; each change names a request,
-- the status it must still have, and members (null removes one).
CREATE OR REPLACE FUNCTION change_queue(queue jsonb, stamp jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_queue((queue->>'item')::uuid, (queue->>'title')::uuid, queue->'read');
  IF jsonb_array_length(queue->'changes') > 0 THEN
    PERFORM refuse_stale(jsonb_array_length(queue->'changes') <> change_requests(ARRAY(
      SELECT jsonb_strip_nulls(r.doc || new.members
             || jsonb_build_object('metadata', coalesce(r.doc->'metadata', '{}') || stamp))
      FROM jsonb_to_recordset(queue->'changes') AS new (id uuid, status text, members jsonb)
      JOIN request r ON r.id = new.id AND r.doc->>'status' = new.status)));
  END IF;
END $$;
