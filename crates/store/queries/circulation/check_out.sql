-- Writes an ordinary check-out: the queue was empty, and nobody listens to events. Otherwise write_check_out does the
-- same and more. Fails like it if an assumption no longer holds. $1 item, $2 its
-- version, $3 the count of its queue's changes, $4 changed members of its state, $5 who changes it and when, $6 the
-- loan, $7 id of its first version, $8 patron, $9 the number of open loans that was compared with limits or null,
-- $10 session, $11 events.
WITH held AS (
  UPDATE item_state s SET state = next_item_state(s.state, $4::jsonb, $5::jsonb)
  WHERE s.id = $1::uuid AND (s.state->>'_version')::bigint = $2::bigint AND s.queue = $3::bigint
  RETURNING s.id),
searched AS (
  INSERT INTO catalogue_change (made, item) VALUES (pg_current_xact_id(), $1::uuid)),
unlisted AS (
  DELETE FROM item_uncommon_status WHERE record_id = $1::uuid),
counted AS (
  INSERT INTO patron_counters AS c (user_id, open_loans) VALUES ($8::uuid, 1)
  ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans + 1
    WHERE $9::int IS NULL OR c.open_loans = $9::int
  RETURNING c.user_id),
lent AS (
  INSERT INTO loan (id, doc, userid, proxyuserid, itemid, loandate_exact, duedate_exact, status_name_fold, open_item,
                    open_borrower, may_age, to_bill, past_return)
  SELECT ($6::jsonb->>'id')::uuid, $6::jsonb, c.userid, c.proxyuserid, c.itemid, c.loandate_exact, c.duedate_exact,
         c.status_name_fold, c.open_item, c.open_borrower, c.may_age, c.to_bill, c.past_return
  FROM loan_columns($6::jsonb) c),
kept AS (
  INSERT INTO loan_history (id, doc, loan_id, createddate_exact)
  SELECT $7::uuid, v.doc, c.loan_id, c.createddate_exact
  FROM (SELECT version_of_loan($7::uuid, 'I', $6::jsonb) AS doc OFFSET 0) v, loan_history_columns(v.doc) c),
noted AS (
  INSERT INTO patron_action_session (id, doc, patronid) VALUES (($10::jsonb->>'id')::uuid, $10::jsonb, $8::uuid))
SELECT refuse_stale((SELECT count(*) FROM held) <> 1 OR (SELECT count(*) FROM counted) <> 1
                    OR EXISTS (SELECT FROM event_interest)),
       note_events($11::jsonb)
