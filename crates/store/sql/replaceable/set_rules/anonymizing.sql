-- Removes patrons from closed loans and requests (docs/folio/anonymization.md). In Rust: desk/src/loans/anonymizing.rs.

-- Removes the borrower from those of the loans that are closed, and from their history; loan and history remain.
-- Returns the ids of the loans that had a borrower.
CREATE OR REPLACE FUNCTION anonymize_loans(loans uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  anonymized uuid[];
  closed jsonb[];
BEGIN
  SELECT coalesce(array_agg(c.id), '{}'), array_agg(c.doc) INTO anonymized, closed
  FROM (SELECT l.id, l.doc - 'userId' - 'proxyUserId' AS doc FROM loan l
        WHERE l.id = ANY (loans) AND l.past_return IS NOT NULL ORDER BY l.id FOR NO KEY UPDATE) c;
  PERFORM change_loans(closed) WHERE closed IS NOT NULL;
  UPDATE loan_history h
  SET loan = h.loan - ARRAY['userId', 'proxyUserId'], replaced = h.replaced - ARRAY['userId', 'proxyUserId']
  WHERE h.loan_id = ANY (anonymized)
    AND (h.loan ?| ARRAY['userId', 'proxyUserId'] OR h.replaced ?| ARRAY['userId', 'proxyUserId']);
  RETURN anonymized;
END $$;

-- Why a closed loan keeps its borrower under the tenant's rules, at a time in UTC; null if it does not. `rules` are
-- {loans: {when, period}, withFees: {when, period}}; the latter is present only if loans with fees or fines are treated
-- differently.
CREATE OR REPLACE FUNCTION loan_keeps_borrower(loan_id uuid, loan jsonb, rules jsonb, at timestamp)
RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  fees int;
  all_closed boolean;
  last_closed timestamp;
BEGIN
  IF rules ? 'withFees' THEN
    SELECT count(*), bool_and(a.doc#>>'{status,name}' = 'Closed'), max(c.closed)
    INTO fees, all_closed, last_closed
    FROM accounts a LEFT JOIN LATERAL (
      SELECT max((f.doc->>'dateAction')::timestamptz AT TIME ZONE 'UTC') AS closed
      FROM feefineactions f WHERE f.accountid = a.id AND (f.doc->>'balance')::numeric = 0) c ON true
    WHERE a.loanid = loan_keeps_borrower.loan_id;
    IF fees > 0 THEN
      RETURN CASE rules#>>'{withFees,when}'
        WHEN 'immediately' THEN CASE WHEN all_closed THEN NULL ELSE 'feesAndFinesOpen' END
        WHEN 'interval' THEN
          CASE WHEN all_closed AND last_closed + (rules#>>'{withFees,period}')::interval < at THEN NULL
               ELSE 'intervalAfterFeesAndFinesCloseNotPassed' END
        ELSE 'neverAnonymizeLoansWithFeesAndFines' END;
    END IF;
  END IF;
  RETURN CASE rules#>>'{loans,when}'
    WHEN 'immediately' THEN NULL
    WHEN 'interval' THEN
      CASE WHEN (loan->>'systemReturnDate')::timestamptz AT TIME ZONE 'UTC' + (rules#>>'{loans,period}')::interval < at
           THEN NULL ELSE 'loanClosedPeriodNotPassed' END
    ELSE 'neverAnonymizeLoans' END;
END $$;

-- The next closed loans with a borrower after one, oldest return first, returned before `before`. It has its own setting
-- for the same reason as next_overdue.
CREATE OR REPLACE FUNCTION next_returned(before text, after_date text, after_id uuid, at_most int)
RETURNS TABLE (id uuid, returned text, doc jsonb) LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT l.id, l.past_return, l.doc FROM loan l
  WHERE (l.past_return, l.id) > (after_date, after_id) AND l.past_return < before
  ORDER BY l.past_return, l.id LIMIT at_most
$$;

-- Examines a limited number of closed loans with a borrower, returned before `before`, oldest return first, and
-- anonymizes those that the rules release. Returns these, the others grouped by reason, the number examined, and the
-- last one, after which the next call continues.
CREATE OR REPLACE FUNCTION anonymize_due_loans(
  rules jsonb, now_as_stored text, before text, after_date text, after_id uuid, at_most int,
  OUT anonymized uuid[], OUT kept jsonb, OUT examined bigint, OUT last_date text, OUT last_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  at timestamp := now_as_stored::timestamptz AT TIME ZONE 'UTC';
BEGIN
  WITH found AS MATERIALIZED (
    SELECT l.id, l.returned, loan_keeps_borrower(l.id, l.doc, rules, at) AS reason
    FROM next_returned(before, after_date, after_id, at_most) l)
  SELECT array_agg(f.id) FILTER (WHERE f.reason IS NULL), count(*),
         (array_agg(f.returned ORDER BY f.returned COLLATE "C" DESC, f.id DESC))[1],
         (array_agg(f.id ORDER BY f.returned COLLATE "C" DESC, f.id DESC))[1],
         (SELECT jsonb_object_agg(k.reason, k.ids)
          FROM (SELECT r.reason, jsonb_agg(r.id) AS ids FROM found r WHERE r.reason IS NOT NULL GROUP BY 1) k)
  INTO anonymized, examined, last_date, last_id, kept
  FROM found f;
  anonymized := anonymize_loans(coalesce(anonymized, '{}'));
  kept := coalesce(kept, '{}');
END $$;

-- A request without personal data.
CREATE OR REPLACE FUNCTION request_without_people(request jsonb, stamp jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (request - ARRAY['requesterId', 'proxyUserId', 'requester', 'proxy']
          - CASE WHEN request->>'fulfillmentPreference' = 'Delivery' THEN ARRAY['deliveryAddressTypeId']
            ELSE ARRAY[]::text[] END)
         || jsonb_build_object('metadata', coalesce(request->'metadata', '{}') || stamp);
END $$;

-- Locks closed requests with a requester, the longest unchanged first, and leaves locked ones to the next run. It has its
-- own setting for the same reason as next_overdue.
CREATE OR REPLACE FUNCTION next_unchanged(latest text, at_most int)
RETURNS SETOF jsonb LANGUAGE sql SET enable_sort = off AS $$
  SELECT r.doc FROM request r
  WHERE r.past_update <= latest ORDER BY r.past_update, r.id LIMIT at_most FOR NO KEY UPDATE SKIP LOCKED
$$;

-- Removes the patrons from closed requests unchanged for that long, a limited number per call; returns their number.
CREATE OR REPLACE FUNCTION anonymize_due_requests(at text, delay text, stamp jsonb, at_most int)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  latest text := to_char(at::timestamptz AT TIME ZONE 'UTC' - delay::interval, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"');
BEGIN
  RETURN change_requests(ARRAY(
    SELECT request_without_people(doc, stamp) FROM next_unchanged(latest, at_most) doc));
END $$;

-- Removes the patrons from a closed request. Returns its status; null if it does not exist.
CREATE OR REPLACE FUNCTION anonymize_request(request_id uuid, stamp jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found jsonb;
BEGIN
  SELECT r.doc INTO found FROM request r WHERE r.id = request_id FOR NO KEY UPDATE;
  IF found->>'status' LIKE 'Closed%' THEN
    PERFORM change_requests(ARRAY[request_without_people(found, stamp)]);
  END IF;
  RETURN found->>'status';
END $$;
