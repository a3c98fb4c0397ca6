-- Writes a check-out. `counted` is the number of the patron's open loans that was compared with the limits; null if
-- there are no limits. The unique index on open loans ensures that the item has no other borrower.
-- Statement: SELECT write_check_out($1, $2, $3, $4, $5, $6, $7, $8, $9), note_events($10)
CREATE OR REPLACE FUNCTION write_check_out(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, patron uuid, counted int, requests jsonb,
  session jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM begin_visit(loan, loan->'checkoutServicePointId', loan#>'{metadata,updatedByUserId}');
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM change_queue(requests, stamp);
  IF counted IS NOT NULL THEN
    INSERT INTO patron_counters AS c (user_id) VALUES (patron)
    ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans WHERE c.open_loans = counted;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  PERFORM add_loans(ARRAY[loan]);
  PERFORM add_session(session);
END $$;

-- Adds a patron's action to the session at the desk.
CREATE OR REPLACE FUNCTION add_session(session jsonb) RETURNS void LANGUAGE plpgsql STRICT AS $$
BEGIN
  INSERT INTO patron_action_session (id, patronid, loanid, sessionid, actiontype, metadata_createddate,
    metadata_createdbyuserid, metadata_updateddate, metadata_updatedbyuserid, rest)
  SELECT (session->>'id')::uuid, c.patronid, c.loanid, c.sessionid, c.actiontype, c.metadata_createddate,
    c.metadata_createdbyuserid, c.metadata_updateddate, c.metadata_updatedbyuserid, c.rest
  FROM patron_action_session_columns(session) c;
END $$;
