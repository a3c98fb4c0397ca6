-- Writes the entries of the circulation log for all deeds but those that the history of loans tells
-- (docs/folio/circulation-log.md, decision 59), in the transaction of the deed.

-- Writes entries: each gets its ids and its date.
CREATE OR REPLACE FUNCTION write_log(entries jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO circulation_log (id, doc, date_exact, action_fold, object_fold, servicepointid_lower, item_values, request_id)
  SELECT (new.doc->>'id')::uuid, new.doc, c.date_exact, c.action_fold, c.object_fold, c.servicepointid_lower,
         c.item_values, c.request_id
  FROM (SELECT jsonb_strip_nulls(jsonb_build_object('items', '[]'::jsonb, 'linkToIds', '{}'::jsonb) || e.entry
               || jsonb_build_object('id', carrel.new_id(), 'eventId', gen_random_uuid(),
                 'date', carrel.stored_moment(clock_timestamp()))) AS doc
        FROM unnest(entries) WITH ORDINALITY AS e (entry, place) ORDER BY e.place OFFSET 0) new,
    circulation_log_columns(new.doc) c;
END $$;

-- Takes the patron out of the entries of loans or of requests.
CREATE OR REPLACE FUNCTION anonymize_log(of_loans text[], of_requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- One search of the index for each loan: a search for thousands of values would rather read the whole log.
  UPDATE circulation_log e SET doc = (e.doc - 'userBarcode') #- '{linkToIds,userId}'
  WHERE e.id IN (
    SELECT l.id
    FROM unnest(of_loans) AS o (loan) CROSS JOIN LATERAL (
      SELECT w.id FROM circulation_log w
      WHERE w.item_values @@ carrel.any_values(ARRAY[o.loan])
        AND w.doc->'items' @> jsonb_build_array(jsonb_build_object('loanId', o.loan)) OFFSET 0) l);
  UPDATE circulation_log e SET doc = (e.doc - 'userBarcode') #- '{linkToIds,userId}' WHERE e.request_id = ANY (of_requests);
END $$;

-- Logs changes of loans that their history does not tell.
CREATE OR REPLACE FUNCTION log_loans(befores jsonb[], loans jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entries jsonb[];
  anonymized text[];
BEGIN
  SELECT array_agg(jsonb_build_object('object', 'Loan', 'action', l.action, 'description', l.described,
           'userBarcode', user_barcode((past.loan->>'userId')::uuid),
           'items', jsonb_build_array(log_item((past.loan->>'itemId')::uuid, past.loan->'id')),
           'servicePointId', CASE WHEN l.action <> 'Age to lost'
             THEN coalesce(past.loan->'checkinServicePointId', past.loan->'checkoutServicePointId') END,
           'source', CASE WHEN l.action IN ('Age to lost', 'Anonymize') THEN 'System'
             ELSE log_source((past.loan#>>'{metadata,updatedByUserId}')::uuid) END,
           'linkToIds', jsonb_build_object('userId', past.loan->'userId')) ORDER BY past.place, l.place),
         array_agg(past.loan->>'id') FILTER (WHERE l.action = 'Anonymize')
  INTO entries, anonymized
  FROM unnest(befores, loans) WITH ORDINALITY AS past (before, loan, place),
    loan_log_lines(past.before, past.loan) WITH ORDINALITY AS l (action, described, place)
  WHERE past.before IS NOT NULL AND NOT carrel.is_ageing(past.loan);
  IF entries IS NOT NULL THEN
    PERFORM write_log(entries);
  END IF;
  IF anonymized IS NOT NULL THEN
    PERFORM anonymize_log(anonymized, '{}');
  END IF;
END $$;

-- Says for whom, where and by whom an item is checked out or in, for the requests that change with it.
CREATE OR REPLACE FUNCTION begin_visit(loan jsonb, service_point jsonb, staff jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('carrel.visit', jsonb_strip_nulls(jsonb_build_object('isVisit', true,
    'userId', loan->'userId', 'loanId', loan->'id', 'servicePointId', service_point, 'staff', staff))::text, true);
END $$;

-- The beginning of a description of a request.
CREATE OR REPLACE FUNCTION log_request_type(request jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce('Type: ' || (request->>'requestType') || '. ', '')
$$;

CREATE OR REPLACE FUNCTION log_service_point(service_point text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT p.doc->>'name' FROM service_point p WHERE p.id = service_point::uuid);
END $$;

-- What changed in an edited request.
CREATE OR REPLACE FUNCTION log_request_edit(before jsonb, request jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN rtrim(concat(log_request_type(before),
    CASE WHEN before->'requestType' <> request->'requestType' THEN
      format('New request type: %s (from: %s).', request->>'requestType', before->>'requestType') END,
    CASE WHEN before->'requestExpirationDate' IS DISTINCT FROM request->'requestExpirationDate' THEN
      format('New expiration date: %s (from: %s). ', log_moment(request->>'requestExpirationDate', 'UTC'),
             log_moment(before->>'requestExpirationDate', 'UTC')) END,
    CASE WHEN before->'fulfillmentPreference' <> request->'fulfillmentPreference' THEN
      format('New fulfilment preference: %s (from: %s). ', request->>'fulfillmentPreference',
             before->>'fulfillmentPreference') END,
    CASE WHEN before->'pickupServicePointId' IS DISTINCT FROM request->'pickupServicePointId' THEN
      format('New pickup service point: %s (from: %s). ',
             coalesce(log_service_point(request->>'pickupServicePointId'), 'null'),
             coalesce(log_service_point(before->>'pickupServicePointId'), 'null')) END));
END $$;

-- Action and description of a changed request that is not part of a check-out or check-in; `kind` is that of request_log_type.
CREATE OR REPLACE FUNCTION log_request_line(
  kind text, before jsonb, request jsonb, through_override boolean, OUT action text, OUT described text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  type text := log_request_type(coalesce(before, request));
BEGIN
  CASE kind
    WHEN 'REQUEST_CREATED_EVENT' THEN
      action := CASE WHEN through_override THEN 'Created through override' ELSE 'Created' END;
      described := type;
    WHEN 'REQUEST_MOVED_EVENT' THEN
      action := 'Moved';
      described := type || format('New item barcode: %s (from: %s).',
        (SELECT i.doc->>'barcode' FROM item i WHERE i.id = (request->>'itemId')::uuid),
        (SELECT i.doc->>'barcode' FROM item i WHERE i.id = (before->>'itemId')::uuid));
    WHEN 'REQUEST_EXPIRED_EVENT' THEN
      action := CASE WHEN request->>'status' = 'Closed - Pickup expired' THEN 'Pickup expired' ELSE 'Expired' END;
      described := type || format('New request status: %s (from: %s).', request->>'status', before->>'status');
    ELSE
      IF request->>'status' = 'Closed - Cancelled' AND before->>'status' <> 'Closed - Cancelled' THEN
        action := 'Cancelled';
        described := type || format('Reason for cancellation: %s.', coalesce(
          (SELECT r.doc->>'description' FROM cancellation_reason r WHERE r.id = (request->>'cancellationReasonId')::uuid),
          'null'));
      ELSE
        action := 'Edited';
        described := log_request_edit(before, request);
      END IF;
  END CASE;
  described := rtrim(described);
END $$;

-- The entry of a changed request; null if its change is none.
CREATE OR REPLACE FUNCTION log_request_entry(before jsonb, request jsonb, through_override boolean)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind text := request_log_type(before, request);
  visit jsonb;
  line record;
BEGIN
  IF kind IS NULL AND before->'status' <> request->'status' THEN
    visit := coalesce(nullif(current_setting('carrel.visit', true), ''), '{}')::jsonb;
    RETURN jsonb_build_object('object', 'Request', 'action', 'Request status changed',
      'description', concat(log_request_type(request),
        'Pickup service point: ' || log_service_point(request->>'pickupServicePointId') || '. ',
        'Address type: ' || (SELECT t.doc->>'addressType' FROM addresstype t
                             WHERE t.id = (request->>'deliveryAddressTypeId')::uuid) || '. ',
        format('New request status: %s (from: %s).', request->>'status', before->>'status')),
      'userBarcode', user_barcode((visit->>'userId')::uuid),
      'items', jsonb_build_array(log_item((request->>'itemId')::uuid, visit->'loanId')),
      'servicePointId', CASE WHEN visit ? 'isVisit' THEN visit->'servicePointId' ELSE request->'pickupServicePointId' END,
      'source', logged_staff(coalesce(visit->>'staff', request#>>'{metadata,updatedByUserId}')::uuid),
      'linkToIds', jsonb_build_object('userId', visit->'userId', 'requestId', request->'id'));
  END IF;
  IF kind IS NULL OR kind = 'REQUEST_ANONYMIZED_EVENT' THEN
    RETURN NULL;
  END IF;
  line := log_request_line(kind, before, request, through_override);
  RETURN jsonb_build_object('object', 'Request', 'action', line.action, 'description', line.described,
    'userBarcode', user_barcode((request->>'requesterId')::uuid),
    'items', jsonb_build_array(log_item((coalesce(before, request)->>'itemId')::uuid, NULL)),
    'servicePointId', request->'pickupServicePointId',
    'source', CASE WHEN kind = 'REQUEST_EXPIRED_EVENT' THEN 'System'
      ELSE log_source((request#>>'{metadata,updatedByUserId}')::uuid) END,
    'linkToIds', jsonb_build_object('userId', request->'requesterId', 'requestId', request->'id'));
END $$;

-- Logs added requests, whose `befores` are null, and changed ones.
CREATE OR REPLACE FUNCTION log_requests(befores jsonb[], requests jsonb[], through_override boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entries jsonb[];
  anonymized uuid[];
BEGIN
  SELECT array_agg(e.entry ORDER BY e.place) FILTER (WHERE e.entry IS NOT NULL),
         array_agg((e.request->>'id')::uuid) FILTER (WHERE e.before ? 'requesterId' AND NOT e.request ? 'requesterId')
  INTO entries, anonymized
  FROM (SELECT past.before, past.request, past.place, log_request_entry(past.before, past.request, through_override) AS entry
        FROM unnest(befores, requests) WITH ORDINALITY AS past (before, request, place) OFFSET 0) e;
  IF entries IS NOT NULL THEN
    PERFORM write_log(entries);
  END IF;
  IF anonymized IS NOT NULL THEN
    PERFORM anonymize_log('{}', anonymized);
  END IF;
END $$;

-- Logs a queue that staff reordered; `reordered` are the moved requests, each with its `previousPosition`.
CREATE OR REPLACE FUNCTION log_positions(reordered jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_log(array_agg(jsonb_build_object('object', 'Request', 'action', 'Queue position reordered',
    'description', log_request_type(r.value) || format('New queue position: %s (from: %s).', r.value->>'position',
                                                      r.value->>'previousPosition'),
    'userBarcode', user_barcode((r.value->>'requesterId')::uuid),
    'items', jsonb_build_array(log_item((r.value->>'itemId')::uuid, NULL)),
    'servicePointId', r.value->'pickupServicePointId',
    'source', log_source((r.value#>>'{metadata,updatedByUserId}')::uuid),
    'linkToIds', jsonb_build_object('userId', r.value->'requesterId', 'requestId', r.value->'id')) ORDER BY r.place))
  FROM jsonb_array_elements(reordered) WITH ORDINALITY AS r (value, place) HAVING count(*) > 0;
END $$;

-- Logs the check-in of an item that was not on loan.
CREATE OR REPLACE FUNCTION log_item_check_in(check_in jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_log(ARRAY[jsonb_build_object('object', 'N/A', 'action', 'Checked in',
    'description', log_item_status((SELECT s.state#>>'{status,name}' FROM item_state s
                                    WHERE s.id = (check_in->>'itemId')::uuid), (check_in->>'itemId')::uuid) || '.',
    'items', jsonb_build_array(log_item((check_in->>'itemId')::uuid, NULL)),
    'servicePointId', check_in->'servicePointId', 'source', logged_staff((check_in->>'performedByUserId')::uuid))]);
END $$;

-- What an information about a fee says to staff or to the patron.
CREATE OR REPLACE FUNCTION log_fee_comment(comments text, mark text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (SELECT coalesce(string_agg(replace(btrim(l.line), mark, ''), '' ORDER BY l.place), '')
          FROM unnest(string_to_array(comments, E'\n')) WITH ORDINALITY AS l (line, place) WHERE l.line LIKE '%' || mark || '%');
END $$;

CREATE OR REPLACE FUNCTION log_amount(amount text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce(round(amount::numeric, 2)::text, 'null');
END $$;

-- What an action on a fee says.
CREATE OR REPLACE FUNCTION log_fee_description(movement jsonb, named text, fee jsonb, kind jsonb)
RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  amount text := log_amount(movement->>'amountAction');
  staff text := log_fee_comment(movement->>'comments', 'STAFF : ');
  patron text := log_fee_comment(movement->>'comments', 'PATRON : ');
  means text := CASE split_part(named, ' ', 1) WHEN 'Paid' THEN 'Payment method' WHEN 'Waived' THEN 'Waive reason'
    WHEN 'Refunded' THEN 'Refund reason' WHEN 'Transferred' THEN 'Transfer account' END;
BEGIN
  RETURN CASE
    WHEN named = 'Billed' THEN
      format('Fee/Fine type: %s. Fee/Fine owner: %s. Amount: %s. %s. Additional information to staff: %s',
             coalesce(kind->>'feeFineType', 'null'), coalesce(fee->>'feeFineOwner', 'null'), amount,
             CASE WHEN kind->'automatic' = 'true' THEN 'automated' ELSE 'manual' END,
             coalesce(movement->>'comments', 'null'))
    WHEN means IS NOT NULL THEN
      format('Fee/Fine type: %s. Amount: %s. Balance: %s. %s: %s. Additional information to staff: %s. '
             'Additional information to patron: %s.', coalesce(kind->>'feeFineType', 'null'), amount,
             log_amount(movement->>'balance'), means, coalesce(movement->>'paymentMethod', 'null'), staff, patron)
    WHEN named = 'Cancelled as error' THEN
      format('Amount: %s. Cancellation reason: %s. Additional information to patron: %s.', amount, staff, patron)
    WHEN named = 'Staff information only added' THEN staff
    ELSE '' END;
END $$;

-- Logs an action on a fee: a charge, a payment and so on. mod-audit does not know every action of mod-feesfines.
CREATE OR REPLACE FUNCTION log_fee() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  movement jsonb := NEW.doc;
  fee jsonb := (SELECT a.doc FROM accounts a WHERE a.id = (movement->>'accountId')::uuid);
  kind jsonb := (SELECT f.doc FROM feefines f WHERE f.id = (fee->>'feeFineId')::uuid);
  named text := nullif(logged_fee_action(movement), 'Credited partially');
BEGIN
  IF fee IS NULL OR named IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM write_log(ARRAY[jsonb_build_object('object', 'Fee/Fine', 'action', named,
    'description', log_fee_description(movement, named, fee, coalesce(kind, fee)),
    'userBarcode', user_barcode((fee->>'userId')::uuid),
    'items', jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('itemBarcode', fee->'barcode'))
      || CASE WHEN fee ? 'itemId' THEN log_item((fee->>'itemId')::uuid, fee->'loanId') ELSE '{}' END),
    'servicePointId', movement->'createdAt', 'source', movement->'source',
    'linkToIds', jsonb_build_object('userId', fee->'userId', 'feeFineId', fee->'id'))]);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER circulation_log AFTER INSERT ON feefineactions FOR EACH ROW EXECUTE FUNCTION log_fee();

-- Logs a block that staff made, changed or deleted.
CREATE OR REPLACE FUNCTION log_block() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  block jsonb := coalesce(to_jsonb(NEW), to_jsonb(OLD))->'doc';
  what text := concat_ws(', ', CASE WHEN block->'borrowing' = 'true' THEN 'borrowing' END,
    CASE WHEN block->'renewals' = 'true' THEN 'renewals' END, CASE WHEN block->'requests' = 'true' THEN 'requests' END);
BEGIN
  PERFORM write_log(ARRAY[jsonb_build_object('object', 'Manual Block',
    'action', CASE TG_OP WHEN 'INSERT' THEN 'Created' WHEN 'UPDATE' THEN 'Modified' ELSE 'Deleted' END,
    'description', rtrim(concat('Block actions: ' || nullif(what, '') || '. ',
      'Description: ' || nullif(btrim(block->>'desc'), '') || '. ',
      'Staff only information: ' || nullif(btrim(block->>'staffInformation'), '') || '. ',
      'Message to patron: ' || nullif(btrim(block->>'patronMessage'), '') || '. ',
      'Expiration date: ' || left(block->>'expirationDate', 10) || '. ')),
    'userBarcode', user_barcode((block->>'userId')::uuid),
    'source', log_source((block#>>'{metadata,updatedByUserId}')::uuid),
    'linkToIds', jsonb_build_object('userId', block->'userId'))]);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER circulation_log AFTER INSERT OR UPDATE OR DELETE ON manualblocks
  FOR EACH ROW EXECUTE FUNCTION log_block();

-- Logs notices that were made, and those that could not be: `told` has for each its event, template, policy, recipient, the
-- records that it is about and, if it was not made, why.
CREATE OR REPLACE FUNCTION log_notices(told jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_log(array_agg(jsonb_build_object('object', 'Notice',
    'action', CASE WHEN n.value->>'error' IS NULL THEN 'Send' ELSE 'Send error' END,
    'description', format('Template: %s. Triggering event: %s.',
        (SELECT coalesce(t.doc->>'name', '') FROM template t WHERE t.id = (n.value->>'template')::uuid), n.value->>'event')
      || coalesce(' Error message: ' || (n.value->>'error'), ''),
    'userBarcode', user_barcode((n.value->>'user')::uuid),
    'items', (SELECT coalesce(jsonb_agg(log_item((s.value->>'item')::uuid, nullif(s.value->'loan', 'null')) ORDER BY s.place), '[]')
              FROM jsonb_array_elements(n.value->'about') WITH ORDINALITY AS s (value, place)
              WHERE coalesce(s.value->>'item', s.value->>'loan') IS NOT NULL),
    'servicePointId', n.value#>'{about,0,servicePoint}', 'source', 'System',
    'linkToIds', jsonb_build_object('userId', n.value->'user', 'requestId', n.value#>'{about,0,request}',
      'feeFineId', n.value#>'{about,0,account}', 'templateId', n.value->'template',
      'noticePolicyId', n.value#>'{about,0,policy}')) ORDER BY n.place))
  FROM jsonb_array_elements(told) WITH ORDINALITY AS n (value, place) HAVING count(*) > 0;
END $$;
