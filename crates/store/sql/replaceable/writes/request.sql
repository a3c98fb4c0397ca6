-- Writes the outcome of a decision about a request. `items` are [{id, version, status}]: sets the status if there is
-- one; otherwise the item must only still have that version. `request` is new or replaces `before`; without `request`,
-- `before` is deleted; without both, only the queue changes. `loan`, shortened by a recall, replaces `loan_before`.
-- `through_override` says whether a block was overridden for a new request.
-- Statement: SELECT write_request($1, $2, $3, $4, $5, $6, $7, $9), note_events($8)
CREATE OR REPLACE FUNCTION write_request(
  items jsonb, stamp jsonb, queue jsonb, request jsonb, before jsonb, loan jsonb, loan_before jsonb,
  through_override boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF before IS NULL AND request IS NOT NULL THEN
    PERFORM join_queues(ARRAY[request]);
  ELSIF request IS NOT NULL THEN
    PERFORM hold_items((queue->>'item')::uuid, (queue->>'title')::uuid);
  END IF;
  PERFORM change_item_state(i.id, i.version, jsonb_build_object('status', i.status), stamp)
  FROM (SELECT * FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
        WHERE i.status IS NOT NULL ORDER BY i.id) i;
  PERFORM change_queue(queue, stamp);
  IF items @? '$[*] ? (!exists (@.status))' THEN
    PERFORM refuse_stale(EXISTS (
      SELECT FROM jsonb_to_recordset(items) AS i (id uuid, version bigint, status jsonb)
      LEFT JOIN item_state found ON found.id = i.id AND (found.state->>'_version')::bigint = i.version
      WHERE i.status IS NULL AND found.id IS NULL));
  END IF;
  IF before IS NULL AND request IS NOT NULL THEN
    PERFORM insert_requests(ARRAY[request], through_override);
  ELSIF before IS NOT NULL AND request IS NOT NULL THEN
    IF change_requests(ARRAY[request], ARRAY[before]) = 0 THEN
      PERFORM refuse_stale(true);
    END IF;
  ELSIF before IS NOT NULL THEN
    DELETE FROM request r WHERE r.id = (before->>'id')::uuid AND r.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  IF loan IS NOT NULL THEN
    PERFORM replace_loans(ARRAY[loan], ARRAY[loan_before]);
  END IF;
END $$;
