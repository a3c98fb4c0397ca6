-- What is done about fees and fines (docs/folio/fees-fines.md#what-actions-do): the accounts and the movements that say
-- so are written together. Rows are locked in one order everywhere: item, requests, accounts, loan, patron.

-- What reports look movements up by: when they were made, and where payments were taken.
CREATE INDEX IF NOT EXISTS feefineactions_by_date ON feefineactions ((coalesce(doc->>'dateAction', '') COLLATE "C"));
CREATE INDEX IF NOT EXISTS feefineactions_payments ON feefineactions ((doc->>'createdAt'), (doc->>'source'))
  WHERE doc->>'typeAction' IN ('Paid partially', 'Paid fully');

-- `before` are the accounts that the decision stands on and `after` the same, changed, in the same order; `charged` are
-- new accounts. New accounts come first: a lost loan whose fees are replaced is never without an open one.
CREATE OR REPLACE FUNCTION write_accounts(charged jsonb, before jsonb, after jsonb, movements jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed int;
BEGIN
  IF jsonb_array_length(before) > 0 THEN
    PERFORM FROM item i
    WHERE i.id IN (SELECT (a->>'itemId')::uuid FROM jsonb_array_elements(before) a WHERE a ? 'loanId')
    ORDER BY i.id FOR NO KEY UPDATE;
    PERFORM FROM accounts a WHERE a.id IN (SELECT (b->>'id')::uuid FROM jsonb_array_elements(before) b)
    ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  INSERT INTO accounts (id, doc) SELECT (c->>'id')::uuid, c FROM jsonb_array_elements(charged) c;
  INSERT INTO feefineactions (id, doc)
  SELECT (m->>'id')::uuid, m FROM jsonb_array_elements(movements) WITH ORDINALITY AS entry(m, place) ORDER BY place;
  UPDATE accounts a SET doc = new.doc
  FROM jsonb_array_elements(before) WITH ORDINALITY AS old(doc, place)
  JOIN jsonb_array_elements(after) WITH ORDINALITY AS new(doc, place) USING (place)
  WHERE a.id = (old.doc->>'id')::uuid AND a.doc = old.doc;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(before));
END $$;

-- The last fee of a lost item is settled: the loan is over, and the item lost and paid. Not while the fees of an item
-- that aged to lost are still to be billed, nor while somebody is to find out what the item costs.
CREATE OR REPLACE FUNCTION close_lost_loan(lost_loan uuid, stamp jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lost_item uuid;
  version bigint;
  status text;
  moment text := coalesce(stamp->>'updatedDate',
                          to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'));
BEGIN
  SELECT i.id, (i.state->>'_version')::bigint, i.state#>>'{status,name}' INTO lost_item, version, status
  FROM item i
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
    AND NOT EXISTS (
      SELECT FROM actual_cost_record r
      WHERE r.loan_id = lost_loan AND r.doc->>'status' = 'Open'
        AND coalesce(r.doc->>'expirationDate' > moment, true))
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE loan l
  SET doc = (l.doc - 'actionComment')
    || jsonb_build_object('status', jsonb_build_object('name', 'Closed'), 'action', 'closedLoan',
                          'itemStatus', 'Lost and paid', 'returnDate', moment,
                          'metadata', coalesce(l.doc->'metadata', '{}') || stamp)
  WHERE l.id = lost_loan;
  PERFORM change_item_state(lost_item, version,
    jsonb_build_object('status', jsonb_build_object('name', 'Lost and paid', 'date', moment)), stamp);
END $$;

CREATE OR REPLACE FUNCTION account_settled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM close_lost_loan(NEW.loanid, coalesce(NEW.doc->'metadata', '{}') - 'createdDate' - 'createdByUserId');
  RETURN NULL;
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

CREATE OR REPLACE TRIGGER accounts_settled AFTER UPDATE ON accounts
  FOR EACH ROW
  WHEN (NEW.loanid IS NOT NULL AND NEW.doc#>>'{status,name}' = 'Closed' AND (NEW.doc->>'remaining')::numeric = 0
        AND OLD.doc IS DISTINCT FROM NEW.doc)
  EXECUTE FUNCTION account_settled();

-- What the lost item of a loan has cost so far: its accounts with what was paid, transferred and refunded, and the
-- records of costs to be found out.
CREATE OR REPLACE FUNCTION lost_item_fees(lost_loan uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object(
    'accounts', coalesce(
      (SELECT json_agg(json_build_object('account', a.doc, 'movements', coalesce(
         (SELECT json_agg(f.doc ORDER BY f.seq) FROM feefineactions f
          WHERE f.accountid = a.id AND f.doc->>'typeAction' IN (
            'Paid partially', 'Paid fully', 'Transferred partially', 'Transferred fully', 'Refunded partially',
            'Refunded fully')), '[]')) ORDER BY a.seq)
       FROM accounts a
       WHERE a.loanid = lost_loan
         AND a.doc->>'feeFineType' IN ('Lost item fee', 'Lost item processing fee', 'Lost item fee (actual cost)')),
      '[]'),
    'costs', coalesce((SELECT json_agg(r.doc ORDER BY r.seq) FROM actual_cost_record r WHERE r.loan_id = lost_loan), '[]'));
END $$;

-- Everything that happens to fees together with a loan; null when nothing does. The item is in its new state already,
-- so that an item that comes back does not close its loan as lost and paid; what is new comes first, so that a loan is
-- never taken for settled between an old fee and its successor.
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

-- Reports look at the movements of a service point.
CREATE INDEX IF NOT EXISTS feefineactions_by_service_point ON feefineactions ((doc->>'createdAt'));
