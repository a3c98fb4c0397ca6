-- Writes an ordinary check-in of an item on loan: its status was a common one, the queue was empty, no fee changes and
-- nobody listens to events. Otherwise write_check_in does the same and more. Fails like it if an assumption no longer
-- holds. $1 item, $2 its version, $3 the count of its queue's changes, $4 changed members of its state, $5 who
-- changes it and when, $6 the closed loan, $7 the open loan before, $8 id of the loan's new version, $9 check-in,
-- $10 session, $11 events, $12 the item's new status if it is not a common one.
WITH held AS (
  UPDATE item_state s SET state = next_item_state(s.state, $4::jsonb, $5::jsonb)
  WHERE s.id = $1::uuid AND (s.state->>'_version')::bigint = $2::bigint AND s.queue = $3::bigint
  RETURNING s.id),
searched AS (
  INSERT INTO catalogue_change (made, item) VALUES (pg_current_xact_id(), $1::uuid)),
listed AS (
  INSERT INTO item_uncommon_status (record_id, name) SELECT $1::uuid, $12::text WHERE $12::text IS NOT NULL
  ON CONFLICT (record_id) DO UPDATE SET name = excluded.name),
returned AS (
  UPDATE loan l
  SET doc = $6::jsonb, userid = c.userid, proxyuserid = c.proxyuserid, itemid = c.itemid,
      loandate_exact = c.loandate_exact, duedate_exact = c.duedate_exact, status_name_fold = c.status_name_fold,
      open_item = c.open_item, open_borrower = c.open_borrower, may_age = c.may_age, to_bill = c.to_bill,
      past_return = c.past_return
  FROM loan_columns($6::jsonb) c
  WHERE l.open_item = $1::uuid AND l.doc = $7::jsonb
  RETURNING l.id),
counted AS (
  UPDATE patron_counters c
  SET open_loans = c.open_loans - 1,
      claimed_returned = c.claimed_returned - coalesce($7::jsonb->>'itemStatus' = 'Claimed returned', false)::int,
      lost_items = c.lost_items - coalesce($7::jsonb->>'itemStatus' IN ('Declared lost', 'Aged to lost'), false)::int
  WHERE c.user_id = ($7::jsonb->>'userId')::uuid
  RETURNING c.user_id),
kept AS (
  INSERT INTO loan_history (id, doc, loan_id, createddate_exact)
  SELECT $8::uuid, v.doc, c.loan_id, c.createddate_exact
  FROM (SELECT version_of_loan($8::uuid, 'U', $6::jsonb) AS doc OFFSET 0) v, loan_history_columns(v.doc) c),
noted AS (
  INSERT INTO patron_action_session (id, doc, patronid)
  VALUES (($10::jsonb->>'id')::uuid, $10::jsonb, ($10::jsonb->>'patronId')::uuid)),
recorded AS (
  INSERT INTO check_in (id, doc, closed_loan, itemid)
  VALUES (($9::jsonb->>'id')::uuid, $9::jsonb, ($6::jsonb->>'id')::uuid, $1::uuid))
SELECT refuse_stale((SELECT count(*) FROM held) <> 1 OR (SELECT count(*) FROM returned) <> 1
                    OR (SELECT count(*) FROM counted) <> 1 OR EXISTS (SELECT FROM event_interest)),
       note_events($11::jsonb)
