-- Writes an ordinary check-in of an item on loan: its status was a common one, the queue was empty, no fee changes and
-- nobody listens to events. Otherwise write_check_in does the same and more. Fails like it if an assumption no longer
-- holds. All that Carrel knows is handed over, as for a check-out.
-- $1 item, $2 the row of its state that was read, $3 its new state, $4 the loan, $5 its row that was read, $6 what its
-- itemStatus was, $7 the closed loan, $8 borrower, $9 id of the loan's new version, $10 the check-in's id, $11 check-in,
-- $12 the session's id, $13 session, $14 events, $15 the item's new status if it is not a common one,
-- $16 what the return replaced of the loan, $17 the members that it added.
WITH held AS (
  UPDATE item_state s SET state = $3::jsonb WHERE s.id = $1::uuid AND s.xmin = $2::text::xid RETURNING s.id),
searched AS (
  INSERT INTO catalogue_change (made, item) VALUES (pg_current_xact_id(), $1::uuid)),
returned AS (
  UPDATE loan l
  SET doc = $7::jsonb, status_name_fold = 'closed', open_item = NULL, open_borrower = NULL, may_age = NULL, to_bill = NULL,
      past_return = coalesce($7::jsonb->>'systemReturnDate', '')
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
  VALUES ($9::uuid, $4::uuid, carrel.stored_moment(clock_timestamp()), 'U', lending_of('U', $7::jsonb),
          ($7::jsonb->>'checkinServicePointId')::uuid, $16::jsonb, $17::text[])),
noted AS (
  INSERT INTO patron_action_session (id, doc, patronid) VALUES ($12::uuid, $13::jsonb, $8::uuid)),
recorded AS (
  INSERT INTO check_in (id, doc, closed_loan, itemid) VALUES ($10::uuid, $11::jsonb, $4::uuid, $1::uuid))
SELECT refuse_stale(NOT EXISTS (SELECT FROM held) OR NOT EXISTS (SELECT FROM returned)
                    OR NOT EXISTS (SELECT FROM counted) OR EXISTS (SELECT FROM event_interest)),
       note_events($14::jsonb),
       CASE WHEN $15::text IS NOT NULL THEN note_uncommon_status($1::uuid, $15::text) END
