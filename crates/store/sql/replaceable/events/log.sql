-- LOG_RECORD: what mod-circulation and mod-feesfines send to the circulation log. These functions run only if it has a
-- subscriber.

-- The tenant's time zone; UTC if PostgreSQL does not know it.
CREATE OR REPLACE FUNCTION event_zone() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  zone text := coalesce((SELECT l.doc->>'timezone' FROM locale l ORDER BY l.seq LIMIT 1), 'UTC');
BEGIN
  PERFORM now() AT TIME ZONE zone;
  RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $$;

-- An instant in the tenant's local time, 2026-11-22T23:59:59.000+01:00.
CREATE OR REPLACE FUNCTION event_local(value text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  zone text := event_zone();
  here timestamp := value::timestamptz AT TIME ZONE zone;
  ahead interval := here - value::timestamptz AT TIME ZONE 'UTC';
BEGIN
  RETURN to_char(here, 'YYYY-MM-DD"T"HH24:MI:SS.MS') || CASE
    WHEN ahead = '0' THEN 'Z'
    WHEN ahead < '0' THEN '-' || to_char(-ahead, 'HH24:MI')
    ELSE '+' || to_char(ahead, 'HH24:MI') END;
END $$;

CREATE OR REPLACE FUNCTION event_now() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN event_instant(clock_timestamp()::text);
END $$;

-- The log's view of an item: the item, its holdings and its title.
CREATE OR REPLACE FUNCTION logged_item(item_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_strip_nulls(jsonb_build_object(
      'itemId', i.id, 'itemBarcode', i.doc->'barcode', 'itemStatusName', i.state#>'{status,name}',
      'holdingsRecordId', i.doc->'holdingsRecordId', 'instanceId', h.instanceid,
      'destinationServicePoint', to_point.doc->'name'))
    FROM item_record i LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
      LEFT JOIN service_point to_point ON to_point.id = (i.state->>'inTransitDestinationServicePointId')::uuid
    WHERE i.id = item_id);
END $$;

-- The log's form of a staff member's name: "Last, First".
CREATE OR REPLACE FUNCTION logged_staff(user_id uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT concat_ws(', ', u.doc#>>'{personal,lastName}',
                           nullif(concat_ws(' ', u.doc#>>'{personal,firstName}', u.doc#>>'{personal,middleName}'), ''))
          FROM users u WHERE u.id = user_id);
END $$;

CREATE OR REPLACE FUNCTION user_barcode(user_id uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT u.doc->>'barcode' FROM users u WHERE u.id = user_id);
END $$;

-- The loan in log entries of check-outs and check-ins.
CREATE OR REPLACE FUNCTION logged_loan(loan jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_strip_nulls(jsonb_build_object(
    'loanId', loan->'id', 'isLoanClosed', loan#>>'{status,name}' = 'Closed',
    'systemReturnDate', event_instant(loan->>'systemReturnDate'), 'returnDate', event_instant(loan->>'returnDate'),
    'dueDate', event_instant(loan->>'dueDate'), 'zoneId', event_zone(), 'userId', loan->'userId',
    'userBarcode', user_barcode((loan->>'userId')::uuid), 'proxyBarcode', user_barcode((loan->>'proxyUserId')::uuid)));
END $$;

-- A log entry about a loan (mod-circulation's LoanLogContext).
CREATE OR REPLACE FUNCTION log_loan_line(loan jsonb, named_action text, described text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('LOG_RECORD', loan->>'id', json_build_object('logEventType', 'LOAN', 'payload', jsonb_strip_nulls(
    jsonb_build_object('userBarcode', user_barcode((loan->>'userId')::uuid), 'userId', loan->'userId')
    || coalesce(logged_item((loan->>'itemId')::uuid), jsonb_build_object('itemId', loan->'itemId'))
      - ARRAY['itemStatusName', 'destinationServicePoint']
    || jsonb_build_object(
      'action', named_action, 'actionComment', loan->'actionComment', 'date', event_now(),
      'servicePointId', coalesce(loan->'checkinServicePointId', loan->'checkoutServicePointId'),
      'updatedByUserId', loan#>'{metadata,updatedByUserId}', 'description', described, 'loanId', loan->'id'))));
END $$;

-- The entries of the log about a change of a loan, in order: what mod-circulation names the deed, and what it says of it.
-- Those of check-outs and check-ins are made elsewhere. The action of a loan stays when staff change its due date, so what tells
-- a renewal is its count, and a recall its mark.
CREATE OR REPLACE FUNCTION loan_log_lines(before jsonb, loan jsonb)
RETURNS TABLE (action text, described text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  loan_action text := loan->>'action';
  acts boolean := before->>'action' IS DISTINCT FROM loan_action;
  is_renewed boolean := coalesce((loan->>'renewalCount')::int, 0) > coalesce((before->>'renewalCount')::int, 0);
  is_recalled boolean := loan->'dueDateChangedByRecall' = 'true'
    AND before->'dueDateChangedByRecall' IS DISTINCT FROM 'true';
  due text;
BEGIN
  IF loan_action IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary')
     AND NOT (before ? 'userId' AND NOT loan ? 'userId') THEN
    RETURN;
  END IF;
  IF before ? 'userId' AND NOT loan ? 'userId' THEN
    RETURN QUERY VALUES ('Anonymize', NULL::text);
  ELSIF loan->>'dueDate' IS DISTINCT FROM before->>'dueDate' THEN
    due := 'New due date: ' || event_local(loan->>'dueDate') || ' (from ' || event_local(before->>'dueDate') || ')';
    RETURN QUERY VALUES ('Changed due date', due);
    RETURN QUERY SELECT named.action, due
    FROM (VALUES ('renewed', 'Renewed', is_renewed), ('renewedThroughOverride', 'Renewed through override', is_renewed),
                 ('recallrequested', 'Recall requested', is_recalled)) named (of, action, is_done)
    WHERE named.of = loan_action AND named.is_done;
  ELSIF loan_action IN ('patronInfoAdded', 'staffInfoAdded') THEN
    IF acts OR loan->'actionComment' IS DISTINCT FROM before->'actionComment' THEN
      RETURN QUERY VALUES (CASE loan_action WHEN 'patronInfoAdded' THEN 'Patron' ELSE 'Staff' END || ' info added',
                           loan->>'actionComment');
    END IF;
  ELSIF loan_action IN ('heldForUseAtLocation', 'pickedUpForUseAtLocation') THEN
    RETURN QUERY SELECT named.action, named.action
    FROM (VALUES ('heldForUseAtLocation', 'Held for use at location'),
                 ('pickedUpForUseAtLocation', 'Picked up for use at location')) named (of, action)
    WHERE named.of = loan_action AND loan->'forUseAtLocation' IS DISTINCT FROM before->'forUseAtLocation';
  ELSIF acts THEN
    IF loan_action = 'itemAgedToLost' THEN
      RETURN QUERY VALUES ('Age to lost', log_ageing(loan));
    END IF;
    RETURN QUERY SELECT named.action, CASE WHEN named.described THEN log_comment(loan) END
    FROM (VALUES ('declaredLost', 'Declared lost', true), ('itemAgedToLost', 'Age to lost', true),
                 ('claimedReturned', 'Claimed returned', true), ('markedMissing', 'Marked as missing', true),
                 ('closedLoan', 'Closed loan', false)) named (of, action, described)
    WHERE named.of = loan_action;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION log_loan(loan_id uuid, before jsonb, loan jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF before IS NULL THEN
    IF loan->>'action' IN ('checkedout', 'checkedOutThroughOverride') THEN
      PERFORM log_loan_line(loan, 'Picked up for use at location', 'Picked up for use at location')
      WHERE loan ? 'forUseAtLocation';
      PERFORM log_check_out(loan);
    END IF;
    RETURN;
  END IF;
  -- The record of a check-in is written last and produces the whole entry.
  PERFORM log_loan_line(loan, l.action, l.described) FROM loan_log_lines(before, loan) l
  WHERE loan->>'action' NOT IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary');
END $$;

-- The requests changed so far in this transaction, as log entries of check-outs and check-ins list them. They are kept
-- in a setting of the transaction: a trigger takes no parameters, and neither the loan nor the check-in has a column
-- for them.
CREATE OR REPLACE FUNCTION changed_requests() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(nullif(current_setting('carrel.changed_requests', true), '')::jsonb, '[]');
END $$;

CREATE OR REPLACE FUNCTION log_check_out(loan jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb := jsonb_strip_nulls(
    jsonb_build_object('servicePointId', loan->'checkoutServicePointId') || logged_loan(loan)
    || coalesce(logged_item((loan->>'itemId')::uuid), '{}') - 'destinationServicePoint'
    || jsonb_build_object('source', logged_staff((loan#>>'{metadata,updatedByUserId}')::uuid)));
BEGIN
  PERFORM announce('LOG_RECORD', loan->>'id', (jsonb_build_object('logEventType',
    CASE loan->>'action' WHEN 'checkedout' THEN 'CHECK_OUT_EVENT' ELSE 'CHECK_OUT_THROUGH_OVERRIDE_EVENT' END)
    || entry || jsonb_build_object('requests', changed_requests(), 'payload', entry))::json);
END $$;

CREATE OR REPLACE FUNCTION announce_check_in() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text[] := wanted_events();
  check_in jsonb := doc(NEW);
  loan jsonb := (SELECT l.doc FROM loan l WHERE l.id = NEW.closed_loan);
BEGIN
  IF 'circulation.check-in' = ANY (wanted) THEN
    PERFORM announce_change('circulation.check-in', NEW.id::text, 'CREATE', NULL, check_in);
  END IF;
  IF 'LOG_RECORD' = ANY (wanted) THEN
    PERFORM announce('LOG_RECORD', coalesce(loan->>'id', check_in->>'itemId'), jsonb_strip_nulls(
      jsonb_build_object('logEventType', 'CHECK_IN_EVENT', 'servicePointId', check_in->'servicePointId')
      || coalesce(logged_loan(loan), '{}') || coalesce(logged_item((check_in->>'itemId')::uuid), '{}')
      || jsonb_build_object(
        'source', logged_staff((check_in->>'performedByUserId')::uuid),
        'claimedReturnedResolution', CASE loan->>'action'
          WHEN 'checkedInReturnedByPatron' THEN 'Returned by patron'
          WHEN 'checkedInFoundByLibrary' THEN 'Found by library' END,
        'requests', changed_requests()))::json);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_log AFTER INSERT ON check_in
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_check_in();

-- The type of log entry for a changed request; null if the entry of a check-out or check-in covers the change, or if
-- only the request's position changed.
CREATE OR REPLACE FUNCTION request_log_type(before jsonb, request jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN before IS NULL THEN 'REQUEST_CREATED_EVENT'
    WHEN before ? 'requesterId' AND NOT request ? 'requesterId' THEN 'REQUEST_ANONYMIZED_EVENT'
    WHEN before->'itemId' IS DISTINCT FROM request->'itemId'
      AND request->>'status' = 'Open - Not yet filled' THEN 'REQUEST_MOVED_EVENT'
    WHEN before->'status' <> request->'status' AND request->>'status' IN (
      'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery', 'Closed - Filled') THEN NULL
    WHEN before->'status' <> request->'status' AND request->>'status' IN (
      'Closed - Unfilled', 'Closed - Pickup expired') THEN 'REQUEST_EXPIRED_EVENT'
    WHEN before - ARRAY['position', 'metadata'] <> request - ARRAY['position', 'metadata'] THEN 'REQUEST_UPDATED_EVENT'
  END;
END $$;

-- The log's view of an anonymized request: without personal data.
CREATE OR REPLACE FUNCTION logged_anonymization(request jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := jsonb_build_object('instanceId', request->'instanceId', 'holdingsRecordId', request->'holdingsRecordId')
    || coalesce(logged_item((request->>'itemId')::uuid), '{}');
BEGIN
  RETURN json_build_object('object', 'Request', 'action', 'anonymizeRequest', 'date', event_now(), 'userBarcode', '-',
    'linkToIds', json_build_object('requestId', request->'id'), 'items', json_build_object(
      'itemBarcode', about->'itemBarcode', 'itemId', about->'itemId', 'instanceId', about->'instanceId',
      'holdingsId', about->'holdingsRecordId'));
END $$;

-- The item of a request in the log, and where it was last returned.
CREATE OR REPLACE FUNCTION logged_requested_item(request jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  item_id uuid := request->>'itemId';
BEGIN
  RETURN jsonb_strip_nulls((coalesce(logged_item(item_id), '{}') - ARRAY['holdingsRecordId', 'instanceId'])
    || coalesce((SELECT jsonb_build_object('servicePointId', i.state#>'{lastCheckIn,servicePointId}')
                 FROM item_record i WHERE i.id = item_id), '{}'));
END $$;

CREATE OR REPLACE FUNCTION log_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  request jsonb := NEW.doc;
  before jsonb := OLD.doc;
  kind text := request_log_type(before, request);
BEGIN
  IF NOT EXISTS (SELECT FROM event_interest i WHERE i.topic = 'LOG_RECORD') THEN
    RETURN NULL;
  END IF;
  IF before->'status' <> request->'status' THEN
    PERFORM set_config('carrel.changed_requests', (changed_requests() || jsonb_strip_nulls(jsonb_build_object(
      'id', request->'id', 'oldRequestStatus', before->'status', 'newRequestStatus', request->'status',
      'pickUpServicePoint', (SELECT p.doc->'name' FROM service_point p WHERE p.id = (request->>'pickupServicePointId')::uuid),
      'requestType', request->'requestType',
      'addressType', (SELECT t.doc->'addressType' FROM addresstype t
                      WHERE t.id = (request->>'deliveryAddressTypeId')::uuid))))::text, true);
  END IF;
  IF kind = 'REQUEST_ANONYMIZED_EVENT' THEN
    PERFORM announce('LOG_RECORD', NEW.id::text, json_build_object('logEventType', kind,
      'payload', logged_anonymization(request)));
  ELSIF kind IS NOT NULL THEN
    IF kind = 'REQUEST_CREATED_EVENT' AND NEW.through_override THEN
      kind := 'REQUEST_CREATED_THROUGH_OVERRIDE_EVENT';
    END IF;
    PERFORM announce('LOG_RECORD', NEW.id::text, json_build_object('logEventType', kind,
      'payload', logged_requested_item(request) || jsonb_build_object('requests', CASE
        WHEN before IS NULL THEN jsonb_build_object('created', request)
        ELSE jsonb_build_object('original', before, 'updated', request) END)));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_log AFTER INSERT OR UPDATE ON request
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION log_request();

-- Logs a queue that staff reordered; `queue` is the argument of change_queue, which has written it.
CREATE OR REPLACE FUNCTION log_reordering(queue jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reordered jsonb;
BEGIN
  SELECT jsonb_agg(r.doc || jsonb_build_object('previousPosition', before.request->1) ORDER BY r.queue_position)
  INTO reordered
  FROM jsonb_array_elements(queue->'read') AS before (request)
  JOIN request r ON r.id = (before.request->>0)::uuid AND r.doc->'position' <> before.request->1;
  IF reordered IS NULL THEN
    RETURN;
  END IF;
  PERFORM log_positions(reordered);
  IF EXISTS (SELECT FROM event_interest i WHERE i.topic = 'LOG_RECORD') THEN
    PERFORM announce('LOG_RECORD', reordered->0->>'id', json_build_object('logEventType', 'REQUEST_REORDERED_EVENT',
      'payload', logged_requested_item(reordered->0)
        || jsonb_build_object('requests', jsonb_build_object('reordered', reordered))));
  END IF;
END $$;

-- What mod-feesfines calls an action on a fee: its result, if it is one; else a note, or a charge, which has no method of payment.
CREATE OR REPLACE FUNCTION logged_fee_action(movement jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN movement->>'typeAction' IN (
      'Paid partially', 'Paid fully', 'Waived partially', 'Waived fully', 'Transferred partially', 'Transferred fully',
      'Refunded partially', 'Refunded fully', 'Credited partially', 'Credited fully', 'Cancelled as error')
      THEN movement->>'typeAction'
    WHEN lower(movement->>'typeAction') = 'staff info only' THEN 'Staff information only added'
    WHEN movement->>'paymentMethod' IS NULL THEN 'Billed' END
$$;

-- Logs a payment or other action on a fee (mod-feesfines' FEE_FINE).
CREATE OR REPLACE FUNCTION log_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  movement jsonb := NEW.doc;
  fee jsonb := (SELECT a.doc FROM accounts a WHERE a.id = (movement->>'accountId')::uuid);
  kind jsonb := (SELECT f.doc FROM feefines f WHERE f.id = (fee->>'feeFineId')::uuid);
  named text := logged_fee_action(movement);
BEGIN
  IF fee IS NOT NULL AND EXISTS (SELECT FROM event_interest i WHERE i.topic = 'LOG_RECORD') THEN
    PERFORM announce('LOG_RECORD', fee->>'id', json_build_object('logEventType', 'FEE_FINE',
      'payload', jsonb_strip_nulls(jsonb_build_object(
        'amount', movement->'amountAction', 'source', movement->'source', 'servicePointId', movement->'createdAt',
        'date', event_now(), 'action', named,
        'balance', CASE WHEN named = movement->>'typeAction' THEN movement->'balance' END,
        'paymentMethod', CASE WHEN named = movement->>'typeAction' THEN movement->'paymentMethod' END,
        'comments', CASE WHEN named IS NOT NULL THEN movement->'comments' END,
        'userId', fee->'userId', 'accountId', fee->'id', 'feeFineId', fee->'feeFineId', 'feeFineOwner', fee->'feeFineOwner',
        'itemBarcode', fee->'barcode', 'itemId', fee->'itemId', 'loanId', fee->'loanId',
        'type', kind->'feeFineType', 'automated', kind->'automatic'))));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_log AFTER INSERT ON feefineactions
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION log_movement();
