-- The circulation log (docs/folio/circulation-log.md, decision 59). Check-outs, the returns of loans and their ageing to lost are
-- read from the history of loans, so that neither the desk nor ageing writes anything for the log; everything else has an entry in
-- circulation_log.

-- What a first version of a loan is by its action: see lending_of.
CREATE OR REPLACE FUNCTION lending_at_check_out(action text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE action WHEN 'checkedout' THEN 1::smallint WHEN 'checkedOutThroughOverride' THEN 4::smallint END
$$;

-- Whether a version of a loan is the one of its check-out (1; 4 through override), of its return (2) or of its ageing (3); null if
-- it is none of these. The history keeps it beside the version, and where it was, so that filters for them make no documents.
-- A return is stamped with the moment at which the loan ended; later changes of the closed loan are not, but for its anonymization.
CREATE OR REPLACE FUNCTION lending_of(operation text, loan jsonb) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN operation = 'I' THEN lending_at_check_out(loan->>'action')
    WHEN operation = 'U' AND loan->>'action' IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary')
         AND loan->>'systemReturnDate' = loan#>>'{metadata,updatedDate}' THEN 2::smallint
    WHEN operation = 'U' AND carrel.is_ageing(loan) THEN 3::smallint END
$$;
CREATE OR REPLACE FUNCTION lending_place(lending smallint, loan jsonb) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN lending IN (1, 4) THEN (loan->>'checkoutServicePointId')::uuid
              WHEN lending = 2 THEN (loan->>'checkinServicePointId')::uuid END
$$;

-- The action of an entry: `part` is 1 for a check-out, 2 for the check-in of the item, 3 for the end of its loan, 4 and 5 for its
-- ageing, which is said twice.
CREATE OR REPLACE FUNCTION lending_action(lending smallint, part int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN part = 2 THEN 'Checked in' WHEN part = 3 THEN 'Closed loan' WHEN part IN (4, 5) THEN 'Age to lost'
              WHEN lending = 4 THEN 'Checked out through override' ELSE 'Checked out' END
$$;

-- The id of an entry: that of the version; for the second one of a version the same with its last bit turned, which leads back.
CREATE OR REPLACE FUNCTION lending_entry_id(version uuid, part int) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN part IN (1, 2, 4) THEN version
              ELSE (left(version::text, 35)
                    || translate(right(version::text, 1), '0123456789abcdef', '1032547698badcfe'))::uuid END
$$;

-- The item of an entry, as the log names its members.
CREATE OR REPLACE FUNCTION log_item(item_id uuid, loan_id jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_strip_nulls(coalesce((
    SELECT jsonb_build_object('itemBarcode', i.doc->'barcode', 'itemId', i.id, 'instanceId', h.instanceid,
                              'holdingId', i.doc->'holdingsRecordId')
    FROM item i LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid WHERE i.id = item_id),
    jsonb_build_object('itemId', item_id)) || jsonb_build_object('loanId', loan_id));
END $$;

-- A staff member in the log: "Last, First".
CREATE OR REPLACE FUNCTION log_source(user_id uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT nullif(concat_ws(', ', nullif(u.doc#>>'{personal,lastName}', ''),
                                  nullif(u.doc#>>'{personal,firstName}', '')), '')
          FROM users u WHERE u.id = user_id);
END $$;

-- An instant in a description; `zone` is a time zone.
CREATE OR REPLACE FUNCTION log_moment(value text, zone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(to_char(value::timestamptz AT TIME ZONE zone, 'YYYY-MM-DD HH24:MI:SS'), 'not set');
EXCEPTION WHEN data_exception THEN
  RETURN value;
END $$;

-- What a check-in says of the item: its status, and where it goes from there if it is still on its way.
CREATE OR REPLACE FUNCTION log_item_status(status text, item_id uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  goes_to text := (
    SELECT p.doc->>'name' FROM item_state s JOIN service_point p ON p.id = (s.state->>'inTransitDestinationServicePointId')::uuid
    WHERE s.id = item_id AND status = 'In transit');
BEGIN
  RETURN 'Item status: ' || coalesce(status, '') || coalesce(' to ' || goes_to, '');
END $$;

-- What the end of a loan by a return says. FOLIO speaks of an overdue due date when it is still to come.
CREATE OR REPLACE FUNCTION log_return(loan jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  zone text := event_zone();
  returned timestamptz := (loan->>'returnDate')::timestamptz;
  noted timestamptz := (loan->>'systemReturnDate')::timestamptz;
BEGIN
  RETURN concat('Item status: ', loan->>'itemStatus',
    CASE WHEN date_trunc('minute', returned) <> date_trunc('minute', noted)
      THEN '. Backdated to: ' || log_moment(loan->>'returnDate', zone) END,
    CASE WHEN (loan->>'dueDate')::timestamptz AT TIME ZONE 'UTC' > returned AT TIME ZONE zone
      THEN '. Overdue due date: ' || log_moment(loan->>'dueDate', 'UTC') END, '.');
END $$;

-- What ageing to lost says first: mod-circulation calls the moment of ageing the due date.
CREATE OR REPLACE FUNCTION log_ageing(loan jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN 'Due date: ' || event_local(loan#>>'{agedToLostDelayedBilling,agedToLostDate}');
END $$;

-- What a lost, claimed or missing item's loan says of it.
CREATE OR REPLACE FUNCTION log_comment(loan jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'Additional information: ' || coalesce(loan->>'actionComment', 'null')
$$;

-- The entry of a check-out, of a check-in, of the end of a loan or of its ageing.
CREATE OR REPLACE FUNCTION lending_entry(version jsonb, lending smallint, service_point uuid, part int) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  loan jsonb := version->'loan';
BEGIN
  RETURN jsonb_strip_nulls(jsonb_build_object(
    'id', lending_entry_id((version->>'id')::uuid, part), 'eventId', version->'id',
    'userBarcode', user_barcode((loan->>'userId')::uuid),
    'items', jsonb_build_array(log_item((loan->>'itemId')::uuid, loan->'id')),
    'object', CASE WHEN part = 2 THEN 'N/A' ELSE 'Loan' END, 'action', lending_action(lending, part),
    'date', version->'createdDate', 'servicePointId', service_point,
    'source', CASE WHEN part IN (4, 5) THEN 'System' ELSE logged_staff((loan#>>'{metadata,updatedByUserId}')::uuid) END,
    'description', CASE part
      WHEN 1 THEN 'Checked out to proxy: ' || coalesce(user_barcode((loan->>'proxyUserId')::uuid), 'no') || '.'
      WHEN 2 THEN log_item_status(loan->>'itemStatus', (loan->>'itemId')::uuid) || '.'
      WHEN 3 THEN log_return(loan)
      WHEN 4 THEN log_ageing(loan)
      ELSE log_comment(loan) END,
    'linkToIds', jsonb_build_object('userId', loan->'userId')));
END $$;
