-- Writes an ordinary check-out: the item's queue was empty, the patron has counters, and nobody listens to events. Otherwise
-- write_check_out does the same and more. Fails like it if an assumption no longer holds. All that Carrel knows is handed over
-- instead of being derived here from the record: a test compares the rows with those that the general functions write.
-- $1 item, $2 the row of its state that was read, $3 its new state, $4 the loan's id, $5 what its columns do not have, $6 id
-- of its first version, $7 patron, $8 the number of open loans that was compared with limits or null, $9 proxy, $10 the
-- session's id, $11 now in stored form, $12 operator, $13 events, $14 whether the item's status was an uncommon one, $15 loan
-- date, $16 due date, $17 location, $18 action, $19 loan policy, $20 overdue fine policy, $21 lost item policy, $22 service
-- point, $23 patron group.
WITH held AS (
  UPDATE item_state s SET state = $3::jsonb WHERE s.id = $1::uuid AND s.xmin = $2::text::xid RETURNING s.id),
searched AS (
  INSERT INTO catalogue_change (made, item) VALUES (pg_current_xact_id(), $1::uuid)),
counted AS (
  UPDATE patron_counters c SET open_loans = c.open_loans + 1
  WHERE c.user_id = $7::uuid AND ($8::int IS NULL OR c.open_loans = $8::int)
  RETURNING c.user_id),
lent AS (
  INSERT INTO loan (id, rest, userid, proxyuserid, itemid, loandate_exact, duedate_exact, status_name_fold, open_item,
                    open_borrower, may_age, itemeffectivelocationidatcheckout, status_name, action, itemstatus, loanpolicyid,
                    overduefinepolicyid, lostitempolicyid, checkoutservicepointid, patrongroupidatcheckout,
                    metadata_createddate, metadata_createdbyuserid, metadata_updateddate, metadata_updatedbyuserid)
  VALUES ($4::uuid, $5::jsonb, $7::uuid, $9::uuid, $1::uuid, $15::text, $16::text, 'open', $1::uuid, $7::uuid, $16::text,
          $17::uuid, 'Open', $18::text, 'Checked out', $19::uuid, $20::uuid, $21::uuid, $22::uuid, $23::uuid, $11::text,
          $12::uuid, $11::text, $12::uuid)),
kept AS (
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point)
  VALUES ($6::uuid, $4::uuid, carrel.stored_moment(clock_timestamp()), 'I',
          lending_at_check_out($18::text), $22::uuid)),
noted AS (
  INSERT INTO patron_action_session (id, patronid, loanid, actiontype, metadata_createddate, metadata_createdbyuserid,
                                     metadata_updateddate, metadata_updatedbyuserid)
  VALUES ($10::uuid, $7::uuid, $4::uuid, 'Check-out', $11::text, $12::uuid, $11::text, $12::uuid))
-- refuse_stale is called to refuse only: a call of PL/pgSQL costs.
SELECT CASE WHEN NOT EXISTS (SELECT FROM held) OR NOT EXISTS (SELECT FROM counted)
                    OR EXISTS (SELECT FROM event_interest) THEN refuse_stale(true) END,
       note_events($13::jsonb),
       CASE WHEN $14::boolean THEN note_uncommon_status($1::uuid, NULL) END
