-- Lost items (docs/folio/lost-items.md).

-- Writes a loan whose item is lost. `versions` are the successive versions of the loan: it becomes the last one, and
-- history keeps all. `note` is a note on the borrower, or null; `fees` is the argument of write_fees.
-- Statement: SELECT write_lost($1, $2, $3, $4, $5, $6, $7, $8)
CREATE OR REPLACE FUNCTION write_lost(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, versions jsonb, before jsonb, note jsonb, fees jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM write_fees(fees);
  PERFORM keep_passing_version(v.loan || jsonb_build_object('metadata', coalesce(v.loan->'metadata', '{}') || stamp),
                               before, (jsonb_array_length(versions) - v.place)::int)
  FROM jsonb_array_elements(versions - -1) WITH ORDINALITY AS v (loan, place);
  PERFORM change_loan(versions->-1, before, stamp);
  IF write_lost.note IS NOT NULL THEN
    INSERT INTO note (id, doc) VALUES ((write_lost.note->>'id')::uuid, write_lost.note);
  END IF;
END $$;

-- An intermediate version of a loan: only history keeps it, and only the change of the record is announced, not a loan
-- event. History tells versions apart by the millisecond, so this one is dated `milliseconds` before the last.
CREATE OR REPLACE FUNCTION keep_passing_version(loan jsonb, before jsonb, milliseconds int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point, replaced, added, loan)
  VALUES (carrel.new_id(), (loan->>'id')::uuid,
          carrel.stored_moment(clock_timestamp() - make_interval(secs => milliseconds / 1000.0)), 'U', lending_of('U', loan),
          lending_place(lending_of('U', loan), loan), replaced_members(before, loan), added_members(before, loan), loan);
  PERFORM announce_change('circulation.loan', loan->>'id', 'UPDATE', before, loan);
END $$;

-- Writes billed loans: each of `loans` has the record `before` and `after` and, if nothing is to be paid, the item's
-- new `state` and the `version` it is based on. `fees` is the argument of write_fees for all of them.
-- Statement: SELECT write_billed($1, $2, $3), note_events($4)
CREATE OR REPLACE FUNCTION write_billed(loans jsonb, stamp jsonb, fees jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM item_state i
  WHERE i.id IN (SELECT (b#>>'{before,itemId}')::uuid FROM jsonb_array_elements(loans) b)
  ORDER BY i.id FOR NO KEY UPDATE;
  PERFORM change_item_state((b#>>'{before,itemId}')::uuid, (b->>'version')::bigint, b->'state', stamp)
  FROM jsonb_array_elements(loans) b WHERE b ? 'state';
  PERFORM write_fees(fees);
  PERFORM replace_loans(array_agg(b->'after'), array_agg(b->'before')) FROM jsonb_array_elements(loans) b
  HAVING count(*) > 0;
END $$;
