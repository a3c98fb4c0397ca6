-- What patrons are told (docs/folio/notices.md): what has happened, noted together with it, and the notices that
-- follow.

-- What has happened and has not been dealt with yet: {event, loanId | requestId | feeFineActionId | loanIds, sessionId}.
CREATE TABLE IF NOT EXISTS notice_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  doc jsonb NOT NULL
);

-- Somebody is to deal with what has happened. While something waits, somebody already is, or was told; whoever has just
-- finished may miss what is committed meanwhile, which is dealt with a minute later.
CREATE OR REPLACE FUNCTION call_for_notices() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM notice_event ORDER BY id DESC LIMIT 1) THEN
    PERFORM enqueue_job('notice-events', '{}');
  END IF;
END $$;

-- Notes what has happened in the caller's transaction; a list of events. Nothing is run for null.
CREATE OR REPLACE FUNCTION note_events(events jsonb) RETURNS void LANGUAGE plpgsql STRICT AS $$
BEGIN
  PERFORM call_for_notices();
  INSERT INTO notice_event (doc)
  SELECT event FROM jsonb_array_elements(events) WITH ORDINALITY AS noted(event, place) ORDER BY place;
END $$;

-- Scheduled notices by when they are due.
CREATE INDEX IF NOT EXISTS scheduled_notice_due ON scheduled_notice (((doc->>'nextRunTime') COLLATE "C"));

-- The template for a charge, or for what was done about one: that of the fee's type, else that of the type's owner; null for
-- none, and for what patrons are not told of.
CREATE OR REPLACE FUNCTION fee_template(action jsonb, account jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  is_charge boolean := action->>'typeAction' = account->>'feeFineType';
BEGIN
  IF NOT is_charge AND split_part(action->>'typeAction', ' ', 1) NOT IN (
       'Paid', 'Waived', 'Transferred', 'Refunded', 'Credited', 'Cancelled') THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT CASE WHEN is_charge
      THEN coalesce(nullif(t.doc->>'chargeNoticeId', ''), nullif(o.doc->>'defaultChargeNoticeId', ''))
      ELSE coalesce(nullif(t.doc->>'actionNoticeId', ''), nullif(o.doc->>'defaultActionNoticeId', '')) END
    FROM feefines t LEFT JOIN owners o ON o.id = (t.doc->>'ownerId')::uuid
    WHERE t.id = (account->>'feeFineId')::uuid);
END $$;

-- Staff wants the patron to know of a movement of a fee.
CREATE OR REPLACE FUNCTION fee_movement_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_events(jsonb_build_array(
    jsonb_build_object('event', 'Fee/fine action', 'feeFineActionId', NEW.id)))
  FROM accounts a WHERE a.id = NEW.accountid AND fee_template(NEW.doc, a.doc) IS NOT NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER fee_movement_told AFTER INSERT ON feefineactions
  FOR EACH ROW WHEN (NEW.doc->'notify' = 'true') EXECUTE FUNCTION fee_movement_told();

-- Everything a notice about a loan, a request or a movement of a fee is filled with and decided by.
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
  FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE i.id = (coalesce(request_doc, loan_doc, account_doc)->>'itemId')::uuid;
  title := coalesce(title, (request_doc->>'instanceId')::uuid);
  RETURN json_strip_nulls(json_build_object(
    'loan', loan_doc, 'request', request_doc, 'action', action_doc, 'account', account_doc, 'item', item_doc,
    'charge', (SELECT f.doc FROM feefineactions f
               WHERE f.accountid = (account_doc->>'id')::uuid AND f.doc->>'typeAction' = account_doc->>'feeFineType'
               ORDER BY f.seq LIMIT 1),
    'feeTemplate', fee_template(action_doc, account_doc),
    'instance', (SELECT t.doc FROM instance t WHERE t.id = title),
    'user', (SELECT u.doc FROM users u WHERE u.id = person),
    'proxies', (SELECT json_agg(json_build_object('relationship', p.doc, 'user', u.doc))
                FROM proxyfor p JOIN users u ON u.id = p.proxyuserid
                WHERE p.userid = person AND p.proxyuserid = (coalesce(request_doc, loan_doc)->>'proxyUserId')::uuid),
    'comment', (SELECT h.doc#>>'{loan,actionComment}' FROM loan_history h
                WHERE h.loan_id = (loan_doc->>'id')::uuid AND h.doc#>>'{loan,action}' = 'patronInfoAdded'
                ORDER BY h.doc->>'createdDate' DESC LIMIT 1),
    'reason', (SELECT c.doc FROM cancellation_reason c WHERE c.id = (request_doc->>'cancellationReasonId')::uuid),
    'lostFees', EXISTS (
      SELECT FROM accounts a
      WHERE a.loanid = (loan_doc->>'id')::uuid
        AND a.doc->>'feeFineType' IN ('Lost item fee', 'Lost item processing fee', 'Lost item fee (actual cost)'))));
END $$;

-- What follows from notices and events that were dealt with, all of it or nothing. `loans` have the record `before` and
-- `after`; `fees` are what write_fees takes.
CREATE OR REPLACE FUNCTION settle_notices(work jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed int;
BEGIN
  PERFORM write_fees(nullif(work->'fees', 'null'));
  UPDATE loan l SET doc = c->'after' FROM jsonb_array_elements(work->'loans') c
  WHERE l.id = (c#>>'{before,id}')::uuid AND l.doc = c->'before';
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(work->'loans'));
  DELETE FROM scheduled_notice n USING jsonb_array_elements(work->'forgotten') f
  WHERE n.loanid = (f->>'loanId')::uuid AND f->'events' ? (n.doc->>'triggeringEvent');
  DELETE FROM scheduled_notice n USING jsonb_array_elements(work->'forgotten') f
  WHERE n.requestid = (f->>'requestId')::uuid;
  DELETE FROM scheduled_notice n USING jsonb_array_elements_text(work->'removed') r WHERE n.id = r::uuid;
  UPDATE scheduled_notice n SET doc = m FROM jsonb_array_elements(work->'moved') m WHERE n.id = (m->>'id')::uuid;
  INSERT INTO scheduled_notice (id, doc) SELECT (s->>'id')::uuid, s FROM jsonb_array_elements(work->'scheduled') s;
  INSERT INTO email_statistics (id, doc, next_attempt)
  SELECT (e->>'id')::uuid, e, CASE WHEN e->>'status' = 'PROCESSING' THEN 'epoch'::timestamptz END
  FROM jsonb_array_elements(work->'emails') WITH ORDINALITY AS written(e, place) ORDER BY place;
  IF jsonb_array_length(work->'emails') > 0 THEN
    PERFORM enqueue_job('emails', '{}', NULL, 'emails');
  END IF;
  DELETE FROM notice_event e USING jsonb_array_elements(work->'events') d WHERE e.id = d::bigint;
END $$;

-- Ends sessions of patrons at the desk, and notes what was lent and returned in them when some notice policy asks for it.
-- `ended` is a list of {patron, action}; no action means both.
CREATE OR REPLACE FUNCTION end_sessions(ended jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  noted jsonb;
BEGIN
  WITH gone AS (
    DELETE FROM patron_action_session s
    USING jsonb_to_recordset(ended) AS e (patron uuid, action text)
    WHERE s.patronid = e.patron AND (e.action IS NULL OR s.doc->>'actionType' = e.action)
    RETURNING s.patronid, s.doc->>'actionType' AS action, s.doc->'loanId' AS loan, s.seq),
  patrons AS (
    SELECT jsonb_build_object('event', CASE g.action WHEN 'Check-in' THEN 'Check in' ELSE 'Check out' END,
                              'loanIds', jsonb_agg(g.loan ORDER BY g.seq)) AS event
    FROM gone g GROUP BY g.patronid, g.action)
  SELECT jsonb_agg(event) INTO noted FROM patrons
  WHERE EXISTS (
    SELECT FROM patron_notice_policy p
    WHERE jsonb_path_exists(p.doc, '$.loanNotices[*].sendOptions.sendWhen ? (@ == "Check out" || @ == "Check in")'));
  PERFORM note_events(noted);
END $$;

-- Ends the sessions in which nothing has happened since `before` (a date as stored); how many patrons have left.
CREATE OR REPLACE FUNCTION end_idle_sessions(before text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  idle jsonb;
BEGIN
  SELECT coalesce(jsonb_agg(jsonb_build_object('patron', i.patron, 'action', i.action)), '[]') INTO idle
  FROM (SELECT s.patronid AS patron, s.doc->>'actionType' AS action FROM patron_action_session s
        GROUP BY 1, 2 HAVING max(s.doc#>>'{metadata,createdDate}') < before) i;
  PERFORM end_sessions(idle);
  RETURN jsonb_array_length(idle);
END $$;
