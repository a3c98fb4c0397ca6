-- Writes an ordinary check-in of an item on loan: its status was a common one, the queue was empty, no fee changes, nobody
-- listens to events, and the loan's rest has nothing that a return changes (is_returned_in_columns). Otherwise write_check_in
-- does the same and more. Fails like it if an assumption no longer holds. All that Carrel knows is handed over, as for a
-- check-out. What a return changes is in columns of the loan; its rest stays. To the circulation log it is a return (lending_of).
-- $1 item, $2 the row of its state that was read, $3 its new state, $4 the loan, $5 its row that was read, $6 what its
-- itemStatus was, $7 what it is, $8 borrower, $9 id of the loan's new version, $10 the check-in's id, $11 now in stored
-- form, $12 the session's id, $13 that of the client, $14 events, $15 the item's new status if it is not a common one, $16 what
-- the return replaced of the loan, $17 the members that it added, $18 service point, $19 operator, $20 the item's status before,
-- $21 its location, $22 date of the return.
WITH held AS (
  UPDATE item_state s SET state = $3::jsonb WHERE s.id = $1::uuid AND s.xmin = $2::text::xid RETURNING s.id),
searched AS (
  INSERT INTO catalogue_change (made, item) VALUES (pg_current_xact_id(), $1::uuid)),
returned AS (
  UPDATE loan l
  SET status_name = 'Closed', status_name_fold = 'closed', open_item = NULL, open_borrower = NULL, may_age = NULL,
      to_bill = NULL, past_return = $11::text, action = 'checkedin', itemstatus = $7::text, returndate = $22::text,
      systemreturndate = $11::text, checkinservicepointid = $18::uuid, metadata_updateddate = $11::text,
      metadata_updatedbyuserid = $19::uuid
  WHERE l.open_item = $1::uuid AND l.xmin = $5::text::xid
  RETURNING l.id),
counted AS (
  UPDATE patron_counters c
  SET open_loans = c.open_loans - 1,
      claimed_returned = c.claimed_returned - coalesce($6::text = 'Claimed returned', false)::int,
      lost_items = c.lost_items - coalesce($6::text IN ('Declared lost', 'Aged to lost'), false)::int
  WHERE c.user_id = $8::uuid
  RETURNING c.user_id),
kept AS (
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point, replaced, added)
  VALUES ($9::uuid, $4::uuid, carrel.stored_moment(clock_timestamp()), 'U', 2,
          $18::uuid, $16::jsonb, $17::text[])),
noted AS (
  INSERT INTO patron_action_session (id, patronid, loanid, sessionid, actiontype, metadata_createddate,
                                     metadata_createdbyuserid, metadata_updateddate, metadata_updatedbyuserid)
  VALUES ($12::uuid, $8::uuid, $4::uuid, $13::uuid, 'Check-in', $11::text, $19::uuid, $11::text, $19::uuid)),
recorded AS (
  INSERT INTO check_in (id, closed_loan, itemid, servicepointid, performedbyuserid, itemlocationid, occurreddatetime,
                        itemstatuspriortocheckin, requestqueuesize)
  VALUES ($10::uuid, $4::uuid, $1::uuid, $18::uuid, $19::uuid, $21::uuid, $11::text, $20::text, 0))
-- refuse_stale is called to refuse only: a call of PL/pgSQL costs.
SELECT CASE WHEN NOT EXISTS (SELECT FROM held) OR NOT EXISTS (SELECT FROM returned)
                    OR NOT EXISTS (SELECT FROM counted) OR EXISTS (SELECT FROM event_interest) THEN refuse_stale(true) END,
       note_events($14::jsonb),
       CASE WHEN $15::text IS NOT NULL THEN note_uncommon_status($1::uuid, $15::text) END
