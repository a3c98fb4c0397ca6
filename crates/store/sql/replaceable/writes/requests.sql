-- Writes request records with what follows from them: the queue of the items that a request joins, the date when it
-- leaves the hold shelf (docs/folio/requests.md#stored-requests), and the circulation log. Everything that writes requests calls these functions.

-- Adds requests that have joined their queues.
CREATE OR REPLACE FUNCTION insert_requests(docs jsonb[], through_override boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO request (id, doc, through_override, requesterid, proxyuserid, instanceid, itemid, pickupservicepointid,
                       cancellationreasonid, status_fold, requestdate_exact, queue_position, open_item, open_title,
                       past_update)
  SELECT (new.doc->>'id')::uuid, new.doc, insert_requests.through_override, c.requesterid, c.proxyuserid, c.instanceid,
         c.itemid, c.pickupservicepointid, c.cancellationreasonid, c.status_fold, c.requestdate_exact,
         c.queue_position, c.open_item, c.open_title, c.past_update
  FROM unnest(docs) WITH ORDINALITY AS new (doc, place), request_columns(new.doc) c ORDER BY new.place;
  PERFORM log_requests(array_fill(NULL::jsonb, ARRAY[cardinality(docs)]), docs, insert_requests.through_override);
END $$;

-- Adds requests; returns their number.
CREATE OR REPLACE FUNCTION add_requests(docs jsonb[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM join_queues(docs);
  PERFORM insert_requests(docs, false);
  RETURN cardinality(docs);
END $$;

-- A changed request, with the date when it left the hold shelf unfilled: the item is still there and must be cleared.
CREATE OR REPLACE FUNCTION with_shelf_left(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN before->>'status' = 'Open - Awaiting pickup'
                   AND after->>'status' IN ('Closed - Pickup expired', 'Closed - Cancelled')
    THEN after || jsonb_build_object('awaitingPickupRequestClosedDate', coalesce(after#>>'{metadata,updatedDate}',
           carrel.stored_moment(now())))
    ELSE after END
$$;

-- Changes requests; returns their number. With `befores`, only requests that are still those records are changed.
CREATE OR REPLACE FUNCTION change_requests(docs jsonb[], befores jsonb[] DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb[];
  here jsonb[];
  joining jsonb[];
BEGIN
  SELECT array_agg(r.doc), array_agg(with_shelf_left(r.doc, r.new_doc)),
         array_agg(r.new_doc) FILTER (WHERE num_nonnulls(nullif(c.open_item, r.open_item),
                                                     nullif(c.open_title, r.open_title)) > 0)
  INTO gone, here, joining
  FROM (SELECT r.doc, r.open_item, r.open_title, new.doc AS new_doc, new.before
        FROM unnest(docs, befores) AS new (doc, before) JOIN request r ON r.id = (new.doc->>'id')::uuid
        ORDER BY r.id FOR NO KEY UPDATE OF r) r, request_columns(r.new_doc) c
  WHERE befores IS NULL OR r.doc = r.before;
  IF here IS NULL THEN
    RETURN 0;
  END IF;
  IF joining IS NOT NULL THEN
    PERFORM join_queues(joining);
  END IF;
  UPDATE request r
  SET doc = new.doc, requesterid = c.requesterid, proxyuserid = c.proxyuserid, instanceid = c.instanceid,
      itemid = c.itemid, pickupservicepointid = c.pickupservicepointid,
      cancellationreasonid = c.cancellationreasonid, status_fold = c.status_fold,
      requestdate_exact = c.requestdate_exact, queue_position = c.queue_position, open_item = c.open_item,
      open_title = c.open_title, past_update = c.past_update
  FROM unnest(here) AS new (doc), request_columns(new.doc) c
  WHERE r.id = (new.doc->>'id')::uuid;
  PERFORM log_requests(gone, here, false);
  RETURN cardinality(here);
END $$;

-- Changes those of the requests that exist. Who created one, and when, stays.
CREATE OR REPLACE FUNCTION replace_requests(docs jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_requests(ARRAY(
    SELECT jsonb_set(n.doc, '{metadata}',
             coalesce(n.doc->'metadata', '{}') - 'createdDate' - 'createdByUserId' || jsonb_strip_nulls(jsonb_build_object(
               'createdDate', r.doc#>'{metadata,createdDate}', 'createdByUserId', r.doc#>'{metadata,createdByUserId}')))
    FROM unnest(docs) WITH ORDINALITY AS n (doc, place) JOIN request r ON r.id = (n.doc->>'id')::uuid ORDER BY n.place));
END $$;

-- Removes requests; returns their number.
CREATE OR REPLACE FUNCTION remove_requests(ids uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM request r WHERE r.id = ANY (ids);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
