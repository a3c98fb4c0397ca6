-- Writes a loan record created or changed directly. `before` is the record on which the decision was based, null for a
-- new one; `new_state` is null if the item does not change. `fees` is the argument of write_fees.
-- Statement: SELECT write_loan($1, $2, $3, $4, $5, $6, $7, $8), note_events($9)
CREATE OR REPLACE FUNCTION write_loan(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, before jsonb, requests jsonb,
  fees jsonb DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF new_state IS NOT NULL THEN
    PERFORM change_item_state(item_id, version, new_state, stamp);
  END IF;
  PERFORM change_queue(requests, stamp);
  PERFORM write_fees(fees);
  IF before IS NULL THEN
    PERFORM add_loans(ARRAY[loan]);
  ELSE
    PERFORM replace_loans(ARRAY[loan], ARRAY[before]);
  END IF;
END $$;
