-- Expiry of requests (docs/folio/request-queues.md#expiration). In Rust: desk/src/requests/expiry.rs.

-- Open requests of titles and for items.
CREATE OR REPLACE FUNCTION open_requests(titles uuid[], items uuid[]) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT r.id FROM unnest(titles) AS t (id) JOIN request r ON r.open_title = t.id
  UNION
  SELECT r.id FROM unnest(items) AS i (id) JOIN request r ON r.open_item = i.id
$$;

-- The items whose queues the requests of titles are in, if titles have none.
CREATE OR REPLACE FUNCTION open_items(titles uuid[], of_titles boolean) RETURNS uuid[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN NOT of_titles THEN ARRAY(
    SELECT DISTINCT r.open_item FROM unnest(titles) AS t (id) JOIN request r ON r.open_title = t.id
    WHERE r.open_item IS NOT NULL) END;
END $$;

-- Closes the expired requests of `at_most` titles after `after`, and closes the gaps in their queues: by title or, if
-- title-level requests are off, by item (an older title-level request then has a position once it has an item; requests
-- for an item that was moved are of different titles). Returns the number of closed requests and, if there may be more,
-- the last title. The queues are locked first, in the same order as for a single change; later additions to a queue
-- wait, and what is read after the lock sees the earlier ones.
CREATE OR REPLACE FUNCTION expire_requests(
  at text, of_titles boolean, stamp jsonb, after uuid, at_most int, OUT closed bigint, OUT last_title uuid)
LANGUAGE plpgsql AS $$
DECLARE
  titles uuid[];
  items uuid[];
BEGIN
  SELECT array_agg(t.open_title) INTO titles
  FROM (SELECT DISTINCT r.open_title FROM request r
        WHERE r.open_title > after AND is_expired(r.doc, at) ORDER BY r.open_title LIMIT at_most) t;
  closed := 0;
  IF titles IS NULL THEN
    RETURN;
  END IF;
  last_title := titles[at_most];
  items := open_items(titles, of_titles);
  PERFORM FROM request r WHERE r.id IN (SELECT open_requests(titles, items)) ORDER BY r.id FOR UPDATE;
  -- A request may have got its item before it was locked.
  items := open_items(titles, of_titles);
  closed := change_requests(ARRAY(
    SELECT (r.doc - 'position') || jsonb_build_object(
             'status', CASE r.doc->>'status' WHEN 'Open - Awaiting pickup' THEN 'Closed - Pickup expired'
                       ELSE 'Closed - Unfilled' END,
             'metadata', coalesce(r.doc->'metadata', '{}') || stamp)
    FROM unnest(titles) AS t (id) JOIN request r ON r.open_title = t.id AND is_expired(r.doc, at)));
  PERFORM change_requests(ARRAY(
    SELECT q.doc || jsonb_build_object('position', q.place, 'metadata', coalesce(q.doc->'metadata', '{}') || stamp)
    FROM (SELECT r.doc, r.queue_position,
                 row_number() OVER (PARTITION BY CASE WHEN of_titles THEN r.open_title ELSE r.open_item END
                                    ORDER BY r.queue_position, r.seq) AS place
          FROM request r
          WHERE r.id IN (SELECT open_requests(CASE WHEN of_titles THEN titles END, items))) q
    WHERE q.queue_position IS DISTINCT FROM q.place));
END $$;

-- A request not yet fulfilled expires on its own expiration date, one on the hold shelf on the date of the shelf.
CREATE OR REPLACE FUNCTION is_expired(request jsonb, at text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE request->>'status'
    WHEN 'Open - Awaiting pickup' THEN request->>'holdShelfExpirationDate'
    ELSE request->>'requestExpirationDate' END < at
$$;
