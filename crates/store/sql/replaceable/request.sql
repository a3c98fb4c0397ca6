-- The queue of an item never has two requests at one position (docs/folio/requests.md#stored-requests). The check waits
-- for the end of the transaction, so that a queue can be renumbered in any order.
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

-- A request that leaves the hold shelf unfilled keeps the date: the item is still there, and somebody has to clear it.
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

-- The requests that wait for an item or its title, with who asks, by position. (In PL/pgSQL: a function in SQL is
-- planned again on each call.)
CREATE OR REPLACE FUNCTION open_requests(item_id uuid, title_id uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('request', r.doc, 'requester', u.doc) ORDER BY r.queue_position)
    FROM request r LEFT JOIN users u ON u.id = r.requesterid
    WHERE r.open_item = item_id OR r.open_title = title_id);
END $$;

-- Holds the queue of an item and its title until the end of the transaction, and refuses when it is not the one that
-- was read: [[id, position, status], …] by id. Whoever changes a queue, or decides by it, holds it; the lock on the title is
-- for queues that have no rows to lock. Nearly every queue is empty, and then stays so with two looks at an index.
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

-- Changes the requests of one queue: `read` is the queue that the changes were decided by; each change names a request, the
-- status it must still have, and members (null takes one away).
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

-- Writes what was decided about a request. `items` are [{id, version, status}]: a status is set, the others must only
-- still be in that version. `request` is new or replaces `before`; without `request`, `before` is deleted; with neither,
-- only the queue changes. `loan`, which a recall made shorter, replaces `loan_before`.
CREATE OR REPLACE FUNCTION write_request(
  items jsonb, stamp jsonb, queue jsonb, request jsonb, before jsonb, loan jsonb, loan_before jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  relied_on bigint;
  unchanged bigint;
BEGIN
  PERFORM change_item_state(i.id, i.version, jsonb_build_object('status', i.status), stamp)
  FROM (SELECT * FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
        WHERE i.status IS NOT NULL ORDER BY i.id) i;
  PERFORM change_requests(queue, stamp);
  SELECT count(*), count(found.id) INTO relied_on, unchanged
  FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
  LEFT JOIN item found ON found.id = i.id AND (found.state->>'_version')::bigint = i.version
  WHERE i.status IS NULL;
  PERFORM refuse_stale(relied_on <> unchanged);
  IF before IS NULL AND request IS NOT NULL THEN
    INSERT INTO request (id, doc) VALUES ((write_request.request->>'id')::uuid, write_request.request);
  ELSIF before IS NOT NULL AND request IS NOT NULL THEN
    UPDATE request r SET doc = write_request.request WHERE r.id = (before->>'id')::uuid AND r.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  ELSIF before IS NOT NULL THEN
    DELETE FROM request r WHERE r.id = (before->>'id')::uuid AND r.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  IF loan IS NOT NULL THEN
    UPDATE loan l SET doc = write_request.loan WHERE l.id = (loan_before->>'id')::uuid AND l.doc = loan_before;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
END $$;

-- Closes the requests whose time has run out, of `at_most` titles after `after`, and the gaps in their queues: those of
-- titles, or of items where only items can be asked for (a request for a title from before has a place there, too, once it
-- has an item). How many were closed, and the last of the titles if there may be more. The queues are locked in one order
-- first, as for a single change; what comes to a queue meanwhile waits, and the second and third statement see what came
-- before.
CREATE OR REPLACE FUNCTION expire_requests(
  at text, of_titles boolean, stamp jsonb, after uuid, at_most int, OUT closed bigint, OUT last_title uuid)
LANGUAGE plpgsql AS $$
DECLARE
  titles uuid[];
BEGIN
  SELECT array_agg(t.open_title) INTO titles
  FROM (SELECT DISTINCT r.open_title FROM request r
        WHERE r.open_title > after AND is_expired(r.doc, at) ORDER BY r.open_title LIMIT at_most) t;
  closed := 0;
  IF titles IS NULL THEN
    RETURN;
  END IF;
  last_title := titles[at_most];
  PERFORM FROM request r JOIN unnest(titles) AS t (id) ON r.open_title = t.id ORDER BY r.id FOR UPDATE OF r;
  UPDATE request r
  SET doc = (r.doc - 'position') || jsonb_build_object(
        'status', CASE r.doc->>'status' WHEN 'Open - Awaiting pickup' THEN 'Closed - Pickup expired'
                  ELSE 'Closed - Unfilled' END,
        'metadata', coalesce(r.doc->'metadata', '{}') || stamp)
  FROM unnest(titles) AS t (id)
  WHERE r.open_title = t.id AND is_expired(r.doc, at);
  GET DIAGNOSTICS closed = ROW_COUNT;
  UPDATE request r
  SET doc = r.doc || jsonb_build_object('position', place.new, 'metadata', coalesce(r.doc->'metadata', '{}') || stamp)
  FROM (SELECT q.id, row_number() OVER (PARTITION BY CASE WHEN of_titles THEN q.open_title ELSE q.open_item END
                                        ORDER BY q.queue_position, q.seq) AS new
        FROM request q JOIN unnest(titles) AS t (id) ON q.open_title = t.id
        WHERE of_titles OR q.open_item IS NOT NULL) place
  WHERE r.id = place.id AND r.queue_position IS DISTINCT FROM place.new;
END $$;

-- A request that nothing was fetched for expires with itself, one on the shelf with its place there.
CREATE OR REPLACE FUNCTION is_expired(request jsonb, at text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE request->>'status'
    WHEN 'Open - Awaiting pickup' THEN request->>'holdShelfExpirationDate'
    ELSE request->>'requestExpirationDate' END < at
$$;

-- Takes the people out of a closed request. Its status; null for one that is not there.
CREATE OR REPLACE FUNCTION anonymize_request(request_id uuid, stamp jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  status text;
BEGIN
  SELECT r.doc->>'status' INTO status FROM request r WHERE r.id = request_id FOR UPDATE;
  IF status LIKE 'Closed%' THEN
    UPDATE request r SET doc = request_without_people(r.doc, stamp)
    WHERE r.id = request_id;
  END IF;
  RETURN status;
END $$;
