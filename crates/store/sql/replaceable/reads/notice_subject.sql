-- The subject of a notice (docs/folio/notices.md).

-- The template for a charge or for an action on one: that of the fee type, otherwise that of its owner; null if there
-- is none or the patron gets no notice of it.
CREATE OR REPLACE FUNCTION fee_template(action jsonb, account jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  charged boolean := is_charge(action);
BEGIN
  IF NOT charged AND split_part(action->>'typeAction', ' ', 1) NOT IN (
       'Paid', 'Waived', 'Transferred', 'Refunded', 'Credited', 'Cancelled') THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT CASE WHEN charged
      THEN coalesce(nullif(t.doc->>'chargeNoticeId', ''), nullif(o.doc->>'defaultChargeNoticeId', ''))
      ELSE coalesce(nullif(t.doc->>'actionNoticeId', ''), nullif(o.doc->>'defaultActionNoticeId', '')) END
    FROM feefines t LEFT JOIN owners o ON o.id = (t.doc->>'ownerId')::uuid
    WHERE t.id = (account->>'feeFineId')::uuid);
END $$;

-- All data that decide and fill a notice about a loan, a request or an action on a fee.
CREATE OR REPLACE FUNCTION notice_subject(of_loan uuid, of_request uuid, of_action uuid)
RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  loan_doc jsonb;
  request_doc jsonb;
  action_doc jsonb;
  account_doc jsonb;
  item_doc jsonb;
  person uuid;
  title uuid;
BEGIN
  IF of_action IS NOT NULL THEN
    SELECT f.doc, a.doc INTO action_doc, account_doc
    FROM feefineactions f LEFT JOIN accounts a ON a.id = f.accountid WHERE f.id = of_action;
  END IF;
  IF of_request IS NOT NULL THEN
    SELECT r.doc INTO request_doc FROM request r WHERE r.id = of_request;
    person := (request_doc->>'requesterId')::uuid;
    title := (request_doc->>'instanceId')::uuid;
    SELECT l.doc INTO loan_doc FROM loan l WHERE l.open_item = (request_doc->>'itemId')::uuid;
  ELSE
    SELECT l.doc INTO loan_doc FROM loan l WHERE l.id = coalesce(of_loan, (account_doc->>'loanId')::uuid);
    person := coalesce(loan_doc->>'userId', account_doc->>'userId')::uuid;
  END IF;
  SELECT i.doc || i.state, coalesce(title, h.instanceid) INTO item_doc, title
  FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE i.id = (coalesce(request_doc, loan_doc, account_doc)->>'itemId')::uuid;
  title := coalesce(title, (request_doc->>'instanceId')::uuid);
  RETURN json_strip_nulls(json_build_object(
    'loan', loan_doc, 'request', request_doc, 'action', action_doc, 'account', account_doc, 'item', item_doc,
    'charge', (SELECT f.doc FROM feefineactions f
               WHERE f.accountid = (account_doc->>'id')::uuid AND is_charge(f.doc)
               ORDER BY f.seq LIMIT 1),
    'feeTemplate', fee_template(action_doc, account_doc),
    'instance', (SELECT t.doc FROM instance t WHERE t.id = title),
    'user', (SELECT u.doc FROM users u WHERE u.id = person),
    'proxies', (SELECT json_agg(json_build_object('relationship', p.doc, 'user', u.doc))
                FROM proxyfor p JOIN users u ON u.id = p.proxyuserid
                WHERE p.userid = person AND p.proxyuserid = (coalesce(request_doc, loan_doc)->>'proxyUserId')::uuid),
    'comment', (SELECT h.doc#>>'{loan,actionComment}' FROM loan_history_record h
                WHERE h.loan_id = (loan_doc->>'id')::uuid AND h.doc#>>'{loan,action}' = 'patronInfoAdded'
                ORDER BY h.doc->>'createdDate' DESC LIMIT 1),
    'reason', (SELECT c.doc FROM cancellation_reason c WHERE c.id = (request_doc->>'cancellationReasonId')::uuid),
    'lostFees', EXISTS (
      SELECT FROM accounts a
      WHERE a.loanid = (loan_doc->>'id')::uuid
        AND a.doc->>'feeFineType' IN ('Lost item fee', 'Lost item processing fee', 'Lost item fee (actual cost)'))));
END $$;
