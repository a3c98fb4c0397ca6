-- Shared by the guarded writes (decision 7). Each write repeats the assumptions of its decision; if one no longer
-- holds, it raises 40001 and writes nothing, and Carrel reads and decides again. All writes lock rows in the same
-- order: item, requests, accounts, loan, patron.

CREATE OR REPLACE FUNCTION refuse_stale(stale boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF stale THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a record changed while the change was decided';
  END IF;
END $$;

-- Changes an item's state. `state` has the changed members; a transit destination not among them is removed.
CREATE OR REPLACE FUNCTION change_item_state(item_id uuid, version bigint, new_state jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE item i
  SET state = (i.state - 'inTransitDestinationServicePointId') || new_state
              || jsonb_build_object('_version', version + 1, 'metadata', coalesce(i.state->'metadata', '{}') || stamp)
  WHERE i.id = item_id AND (i.state->>'_version')::bigint = version;
  PERFORM refuse_stale(NOT FOUND);
END $$;

-- Changes a loan if it is still the version on which the decision was based. `stamp` says who changed it and when.
-- Statement: SELECT change_loan($1, $2, $3)
CREATE OR REPLACE FUNCTION change_loan(loan jsonb, before jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE loan l
  SET doc = change_loan.loan || jsonb_build_object('metadata', coalesce(change_loan.loan->'metadata', '{}') || stamp)
  WHERE l.id = (before->>'id')::uuid AND l.doc = before;
  PERFORM refuse_stale(NOT FOUND);
END $$;
