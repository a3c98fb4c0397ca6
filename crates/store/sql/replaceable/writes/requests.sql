-- Records the date when a request leaves the hold shelf unfilled: the item is still there and must be cleared.
CREATE OR REPLACE FUNCTION note_shelf_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.doc := NEW.doc || jsonb_build_object('awaitingPickupRequestClosedDate',
    coalesce(NEW.doc#>>'{metadata,updatedDate}', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')));
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER note_shelf_left BEFORE UPDATE OF doc ON request FOR EACH ROW
  WHEN (OLD.doc->>'status' = 'Open - Awaiting pickup'
        AND NEW.doc->>'status' IN ('Closed - Pickup expired', 'Closed - Cancelled'))
  EXECUTE FUNCTION note_shelf_left();

-- Raises the count of queue changes of each item whose queue a new request joins, so that a check-out or check-in that
-- was decided with an empty queue fails. Whoever places a request has locked these items before (hold_items).
CREATE OR REPLACE FUNCTION request_joins_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR (OLD.open_item, OLD.open_title) IS DISTINCT FROM (NEW.open_item, NEW.open_title) THEN
    PERFORM hold_items(NEW.open_item, NEW.open_title);
    UPDATE item_state s SET queue = s.queue + 1
    WHERE s.id IN (SELECT q.id FROM items_of_queue(NEW.open_item, NEW.open_title) AS q (id));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER request_joins_queue AFTER INSERT OR UPDATE ON request
  FOR EACH ROW WHEN (NEW.open_item IS NOT NULL OR NEW.open_title IS NOT NULL) EXECUTE FUNCTION request_joins_queue();

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
CREATE OR REPLACE FUNCTION change_requests(queue jsonb, stamp jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed bigint;
BEGIN
  PERFORM hold_queue((queue->>'item')::uuid, (queue->>'title')::uuid, queue->'read');
  IF jsonb_array_length(queue->'changes') = 0 THEN
    RETURN;
  END IF;
  UPDATE request r
  SET doc = jsonb_strip_nulls(r.doc || new.members
            || jsonb_build_object('metadata', coalesce(r.doc->'metadata', '{}') || stamp))
  FROM jsonb_to_recordset(queue->'changes') AS new (id uuid, status text, members jsonb)
  WHERE r.id = new.id AND r.doc->>'status' = new.status;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(queue->'changes'));
END $$;

-- Writes the outcome of a decision about a request. `items` are [{id, version, status}]: sets the status if there is
-- one; otherwise the item must only still have that version. `request` is new or replaces `before`; without `request`,
-- `before` is deleted; without both, only the queue changes. `loan`, shortened by a recall, replaces `loan_before`.
-- `through_override` says whether a block was overridden for a new request.
-- Statement: SELECT write_request($1, $2, $3, $4, $5, $6, $7, $9), note_events($8)
CREATE OR REPLACE FUNCTION write_request(
  items jsonb, stamp jsonb, queue jsonb, request jsonb, before jsonb, loan jsonb, loan_before jsonb,
  through_override boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  relied_on bigint;
  unchanged bigint;
BEGIN
  IF request IS NOT NULL THEN
    PERFORM hold_items((queue->>'item')::uuid, (queue->>'title')::uuid);
  END IF;
  PERFORM change_item_state(i.id, i.version, jsonb_build_object('status', i.status), stamp)
  FROM (SELECT * FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
        WHERE i.status IS NOT NULL ORDER BY i.id) i;
  PERFORM change_requests(queue, stamp);
  SELECT count(*), count(found.id) INTO relied_on, unchanged
  FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
  LEFT JOIN item_state found ON found.id = i.id AND (found.state->>'_version')::bigint = i.version
  WHERE i.status IS NULL;
  PERFORM refuse_stale(relied_on <> unchanged);
  IF before IS NULL AND request IS NOT NULL THEN
    INSERT INTO request (id, doc, through_override)
    VALUES ((write_request.request->>'id')::uuid, write_request.request, write_request.through_override);
  ELSIF before IS NOT NULL AND request IS NOT NULL THEN
    UPDATE request r SET doc = write_request.request WHERE r.id = (before->>'id')::uuid AND r.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  ELSIF before IS NOT NULL THEN
    DELETE FROM request r WHERE r.id = (before->>'id')::uuid AND r.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  IF loan IS NOT NULL THEN
    PERFORM replace_loans(ARRAY[loan], ARRAY[loan_before]);
  END IF;
END $$;
