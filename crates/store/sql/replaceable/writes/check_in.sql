-- Writes a check-in. `before` is the open loan on which the decision was based, and `loan` the same loan closed; both,
-- and `session`, are null if there was no open loan. `fees` is the argument of write_fees.
-- Statement: SELECT write_check_in($1, $2, $3, $4, $5, $6, $7, $8, $9, $10), note_events($11)
CREATE OR REPLACE FUNCTION write_check_in(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, before jsonb, requests jsonb, check_in jsonb,
  session jsonb, fees jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM begin_visit(before, check_in->'servicePointId', check_in->'performedByUserId');
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM change_queue(requests, stamp);
  PERFORM write_fees(fees);
  IF before IS NULL THEN
    PERFORM refuse_stale(EXISTS (SELECT FROM loan l WHERE l.open_item = item_id));
    PERFORM log_item_check_in(check_in);
  ELSE
    PERFORM replace_loans(ARRAY[loan], ARRAY[before]);
    PERFORM add_session(session);
  END IF;
  INSERT INTO check_in (id, closed_loan, itemid, servicepointid, performedbyuserid, itemlocationid, occurreddatetime,
    itemstatuspriortocheckin, requestqueuesize, rest)
  SELECT (check_in->>'id')::uuid, (write_check_in.loan->>'id')::uuid, item_id, c.servicepointid, c.performedbyuserid,
    c.itemlocationid, c.occurreddatetime, c.itemstatuspriortocheckin, c.requestqueuesize, c.rest
  FROM check_in_columns(check_in) c;
END $$;
