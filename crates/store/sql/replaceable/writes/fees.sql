-- Actions on fees and fines (docs/folio/fees-fines.md#what-actions-do): writes accounts together with the actions on
-- them.

-- `before` are the accounts on which the decision was based, `after` the changed ones in the same order; `charged` are
-- new accounts. They are written first, so that a lost loan whose fees are replaced always has an open one.
-- Statement: SELECT write_accounts('[]', $1, $2, $3)
CREATE OR REPLACE FUNCTION write_accounts(charged jsonb, before jsonb, after jsonb, movements jsonb)
RETURNS void LANGUAGE plpgsql
-- Each call writes few accounts. PostgreSQL would plan every statement within again, because the arrays are short.
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF before @? '$[*].loanId' THEN
    PERFORM FROM item_state i
    WHERE i.id IN (SELECT (a->>'itemId')::uuid FROM jsonb_array_elements(before) a WHERE a ? 'loanId')
    ORDER BY i.id FOR NO KEY UPDATE;
  END IF;
  IF jsonb_array_length(charged) > 0 THEN
    PERFORM FROM accounts a WHERE a.id IN (SELECT (b->>'id')::uuid FROM jsonb_array_elements(before) b)
    ORDER BY a.id FOR NO KEY UPDATE;
    PERFORM add_accounts(ARRAY(SELECT jsonb_array_elements(charged)));
  END IF;
  INSERT INTO feefineactions (id, doc)
  SELECT (m->>'id')::uuid, m FROM jsonb_array_elements(movements) WITH ORDINALITY AS entry(m, place) ORDER BY place;
  IF jsonb_array_length(before) > 0 THEN
    PERFORM refuse_stale(jsonb_array_length(before) <> change_accounts(
      ARRAY(SELECT jsonb_array_elements(after)), ARRAY(SELECT jsonb_array_elements(before))));
  END IF;
END $$;

-- Closes the loan of a lost item, as lost and paid, once its last fee is settled. Not while fees of an aged-to-lost
-- item are still to be billed, nor while its actual cost is open.
CREATE OR REPLACE FUNCTION close_lost_loan(lost_loan uuid, stamp jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lost_item uuid;
  version bigint;
  status text;
  moment text := coalesce(stamp->>'updatedDate',
                          carrel.stored_moment(clock_timestamp()));
BEGIN
  SELECT i.id, (i.state->>'_version')::bigint, i.state#>>'{status,name}' INTO lost_item, version, status
  FROM item_state i
  WHERE i.id = (SELECT l.open_item FROM loan l WHERE l.id = lost_loan)
    AND i.state#>>'{status,name}' IN ('Declared lost', 'Aged to lost')
  FOR NO KEY UPDATE;
  IF lost_item IS NULL THEN
    RETURN;
  END IF;
  PERFORM FROM loan l
  WHERE l.id = lost_loan AND l.open_item = lost_item
    AND (status = 'Declared lost' OR l.doc#>>'{agedToLostDelayedBilling,lostItemHasBeenBilled}' IS DISTINCT FROM 'false')
    AND NOT EXISTS (
      SELECT FROM accounts a
      WHERE a.loanid = lost_loan AND a.doc#>>'{status,name}' IS DISTINCT FROM 'Closed'
        AND a.doc->>'feeFineType' IN ('Lost item fee', 'Lost item processing fee', 'Lost item fee (actual cost)'))
    -- The actual cost was charged, or nobody may charge it any more.
    AND (EXISTS (
        SELECT FROM accounts a
        WHERE a.loanid = lost_loan AND a.doc->>'feeFineType' = 'Lost item fee (actual cost)')
      OR NOT EXISTS (
        SELECT FROM actual_cost_record r
        WHERE r.loan_id = lost_loan AND r.doc->>'status' = 'Open'
          AND coalesce(r.doc->>'expirationDate' > moment, true)))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM change_loans(ARRAY[(l.doc - 'actionComment')
    || jsonb_build_object('status', jsonb_build_object('name', 'Closed'), 'action', 'closedLoan',
                          'itemStatus', 'Lost and paid', 'returnDate', moment,
                          'metadata', coalesce(l.doc->'metadata', '{}') || stamp)])
  FROM loan l WHERE l.id = lost_loan;
  PERFORM change_item_state(lost_item, version,
    jsonb_build_object('status', jsonb_build_object('name', 'Lost and paid', 'date', moment)), stamp);
END $$;

CREATE OR REPLACE FUNCTION actual_cost_settled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM close_lost_loan(NEW.loan_id, coalesce(NEW.doc->'metadata', '{}') - 'createdDate' - 'createdByUserId');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER actual_cost_settled AFTER UPDATE ON actual_cost_record
  FOR EACH ROW
  WHEN (OLD.doc->>'status' = 'Open' AND NEW.doc->>'status' IN ('Cancelled', 'Expired'))
  EXECUTE FUNCTION actual_cost_settled();

-- Writes all changes of fees that belong to a change of a loan; null writes nothing. The item already has its new
-- state, so that a returned item does not close its loan as lost and paid. New fees come first, so that the loan never
-- counts as settled between an old fee and its replacement.
-- Statement: SELECT write_fees($1), note_events($2)
CREATE OR REPLACE FUNCTION write_fees(fees jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed int;
BEGIN
  IF fees IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO actual_cost_record (id, doc)
  SELECT (c->>'id')::uuid, c FROM jsonb_array_elements(fees->'newCosts') c;
  PERFORM write_accounts(fees->'charged', fees->'before', fees->'after', fees->'movements');
  UPDATE actual_cost_record r SET doc = new.doc
  FROM jsonb_array_elements(fees->'costsBefore') WITH ORDINALITY AS old(doc, place)
  JOIN jsonb_array_elements(fees->'costsAfter') WITH ORDINALITY AS new(doc, place) USING (place)
  WHERE r.id = (old.doc->>'id')::uuid AND r.doc = old.doc;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(fees->'costsBefore'));
END $$;
