-- Items that do not come back (docs/folio/lost-items.md).

-- A loan whose item does not come back. `versions` are those of the loan from now on, in order; history keeps each.
-- `note` is about the borrower, or null; `fees` are what write_fees takes.
DROP FUNCTION IF EXISTS write_lost(uuid, bigint, jsonb, jsonb, jsonb, jsonb, jsonb);
CREATE OR REPLACE FUNCTION write_lost(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, versions jsonb, before jsonb, note jsonb, fees jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known jsonb := before;
  following jsonb;
  place bigint;
BEGIN
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM write_fees(fees);
  FOR following, place IN SELECT value, ordinality FROM jsonb_array_elements(versions) WITH ORDINALITY ORDER BY 2 LOOP
    -- History tells versions apart by the millisecond.
    PERFORM pg_sleep(0.001) WHERE known <> before;
    -- What is over at once is told as what it is in the end.
    PERFORM set_config('carrel.loan_passes', (place < jsonb_array_length(versions))::text, true);
    PERFORM change_loan(following, known, stamp);
    SELECT l.doc INTO known FROM loan l WHERE l.id = (known->>'id')::uuid;
  END LOOP;
  IF write_lost.note IS NOT NULL THEN
    INSERT INTO note (id, doc) VALUES ((write_lost.note->>'id')::uuid, write_lost.note);
  END IF;
END $$;

-- Loans that age to lost when their time comes, by due date: neither closed ones nor those lost long ago are looked at.
DROP INDEX IF EXISTS loan_open_by_due_date;
CREATE INDEX IF NOT EXISTS loan_that_may_age ON loan (((doc->>'dueDate') COLLATE "C"), id)
  WHERE open_item IS NOT NULL
    AND coalesce(doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost');

-- A period of a policy; null for none and for one of no length, which both mean never or at once.
CREATE OR REPLACE FUNCTION policy_period(period jsonb) RETURNS interval LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  duration int := (period->>'duration')::numeric::int;
BEGIN
  RETURN CASE WHEN duration > 0 THEN
    CASE period->>'intervalId'
      WHEN 'Minutes' THEN make_interval(mins => duration)
      WHEN 'Hours' THEN make_interval(hours => duration)
      WHEN 'Days' THEN make_interval(days => duration)
      WHEN 'Weeks' THEN make_interval(weeks => duration)
      WHEN 'Months' THEN make_interval(months => duration)
      WHEN 'Years' THEN make_interval(years => duration)
    END
  END;
END $$;

-- Ages overdue loans to lost by their policies. Looks at no more than so many, those due first, and returns how many it
-- looked at and aged, and the due date and id of the last one, after which the next call goes on. What somebody else is
-- changing waits for the next run; when another process ages loans of this library, nothing is done.
DROP FUNCTION IF EXISTS age_to_lost(text, jsonb, text, uuid, int);
CREATE OR REPLACE FUNCTION age_to_lost(
  now_as_stored text, stamp jsonb, after_due text, after_id uuid, at_most int,
  OUT looked_at bigint, OUT aged bigint, OUT last_due text, OUT last_id uuid)
LANGUAGE plpgsql
-- Each call reads its own piece of the index. To sort all overdue loans for each piece would look cheaper whenever the
-- statistics know less of them than there are.
SET enable_sort = off
AS $$
DECLARE
  aged_at timestamp := now_as_stored::timestamptz AT TIME ZONE 'UTC';
  loans uuid[];
  items uuid[];
  dues text[];
  billed text[];
BEGIN
  looked_at := 0;
  aged := 0;
  IF NOT pg_try_advisory_xact_lock(hashtext('age_to_lost'), hashtext(current_schema())) THEN
    RETURN;
  END IF;
  WITH terms AS MATERIALIZED (
    SELECT p.id, t.recalled, t.ages,
           to_char(aged_at + coalesce(t.billed, '0'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS billed
    FROM lost_item_fee_policy p CROSS JOIN LATERAL (VALUES
      (false, policy_period(p.doc->'itemAgedLostOverdue'), policy_period(p.doc->'patronBilledAfterAgedLost')),
      (true, policy_period(p.doc->'recalledItemAgedLostOverdue'),
       policy_period(p.doc->'patronBilledAfterRecalledItemAgedLost'))) t (recalled, ages, billed)
    WHERE t.ages IS NOT NULL),
  overdue AS MATERIALIZED (
    SELECT l.id, l.doc->>'dueDate' AS due, (l.doc->>'lostItemPolicyId')::uuid AS policy,
           coalesce((l.doc->>'dueDateChangedByRecall')::boolean, false) AS recalled
    FROM loan l
    WHERE l.open_item IS NOT NULL
      AND coalesce(l.doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost')
      AND (l.doc->>'dueDate') COLLATE "C" < now_as_stored
      AND ((l.doc->>'dueDate') COLLATE "C", l.id) > (after_due, after_id)
    ORDER BY (l.doc->>'dueDate') COLLATE "C", l.id LIMIT at_most)
  SELECT count(*), max(o.due COLLATE "C"), (array_agg(o.id ORDER BY o.due COLLATE "C" DESC, o.id DESC))[1],
         array_agg(o.id) FILTER (WHERE t.ages IS NOT NULL), array_agg(o.due) FILTER (WHERE t.ages IS NOT NULL),
         array_agg(t.billed) FILTER (WHERE t.ages IS NOT NULL)
  INTO looked_at, last_due, last_id, loans, dues, billed
  FROM overdue o LEFT JOIN terms t
    ON t.id = o.policy AND t.recalled = o.recalled AND o.due::timestamptz AT TIME ZONE 'UTC' + t.ages <= aged_at;
  SELECT array_agg(c.id), array_agg(c.open_item), array_agg(c.billed)
  INTO loans, items, billed
  FROM (
    SELECT l.id, l.open_item, ripe.billed
    FROM unnest(loans, dues, billed) ripe (id, due, billed) JOIN loan l ON l.id = ripe.id JOIN item i ON i.id = l.open_item
    WHERE l.doc->>'dueDate' = ripe.due
      AND coalesce(l.doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost')
    FOR NO KEY UPDATE OF i, l SKIP LOCKED) c;
  IF loans IS NULL THEN
    RETURN;
  END IF;
  aged := cardinality(loans);
  UPDATE item i
  SET state = i.state || jsonb_build_object(
    'status', jsonb_build_object('name', 'Aged to lost', 'date', now_as_stored),
    '_version', (i.state->>'_version')::bigint + 1, 'metadata', coalesce(i.state->'metadata', '{}') || stamp)
  WHERE i.id = ANY (items);
  UPDATE loan l
  SET doc = (l.doc - 'actionComment') || jsonb_build_object(
    'action', 'itemAgedToLost', 'itemStatus', 'Aged to lost',
    'agedToLostDelayedBilling', jsonb_build_object(
      'lostItemHasBeenBilled', false, 'dateLostItemShouldBeBilled', c.billed, 'agedToLostDate', now_as_stored),
    'metadata', coalesce(l.doc->'metadata', '{}') || stamp)
  FROM unnest(loans, billed) c (id, billed)
  WHERE l.id = c.id;
  PERFORM note_events((
    SELECT jsonb_agg(jsonb_build_object('event', 'Aged to lost', 'loanId', id)) FROM unnest(loans) id
    WHERE EXISTS (
      SELECT FROM patron_notice_policy p
      WHERE jsonb_path_exists(p.doc, '$.loanNotices[*].sendOptions.sendWhen ? (@ == "Aged to lost")'))));
END $$;

-- Loans of items that aged to lost and are to be billed, by when.
CREATE INDEX IF NOT EXISTS loan_to_bill
  ON loan (((doc#>>'{agedToLostDelayedBilling,dateLostItemShouldBeBilled}') COLLATE "C"), id)
  WHERE open_item IS NOT NULL AND doc#>>'{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false';

-- Billed loans: each of `loans` has the record `before` and `after`, and where nothing is to be paid the item's `state`
-- from now on and the `version` it stands on. `fees` are what write_fees takes, for all of them.
CREATE OR REPLACE FUNCTION write_billed(loans jsonb, stamp jsonb, fees jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed int;
BEGIN
  PERFORM FROM item i
  WHERE i.id IN (SELECT (b#>>'{before,itemId}')::uuid FROM jsonb_array_elements(loans) b)
  ORDER BY i.id FOR NO KEY UPDATE;
  PERFORM change_item_state((b#>>'{before,itemId}')::uuid, (b->>'version')::bigint, b->'state', stamp)
  FROM jsonb_array_elements(loans) b WHERE b ? 'state';
  PERFORM write_fees(fees);
  UPDATE loan l SET doc = b->'after'
  FROM jsonb_array_elements(loans) b
  WHERE l.id = (b#>>'{before,id}')::uuid AND l.doc = b->'before';
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> jsonb_array_length(loans));
END $$;

CREATE INDEX IF NOT EXISTS actual_cost_record_open ON actual_cost_record (((doc->>'expirationDate') COLLATE "C"))
  WHERE doc->>'status' = 'Open';

-- Nobody has found out in time what lost items cost: their records expire, and loans with nothing else to pay are over.
-- At most so many are looked at, those that expired first; `last_date` and `last_id` say after which one the next call
-- goes on, null when no more are left. What somebody else is changing waits for the next run.
DROP FUNCTION IF EXISTS expire_actual_costs(text, jsonb);
CREATE OR REPLACE FUNCTION expire_actual_costs(
  now_as_stored text, stamp jsonb, after_date text, after_id uuid, at_most int,
  OUT expired bigint, OUT last_date text, OUT last_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[];
  items uuid[];
BEGIN
  WITH due AS MATERIALIZED (
    SELECT r.id, r.doc->>'expirationDate' AS date
    FROM actual_cost_record r
    WHERE r.doc->>'status' = 'Open' AND (r.doc->>'expirationDate') COLLATE "C" < now_as_stored
      AND ((r.doc->>'expirationDate') COLLATE "C", r.id) > (after_date, after_id)
    ORDER BY (r.doc->>'expirationDate') COLLATE "C", r.id LIMIT at_most)
  SELECT array_agg(d.id ORDER BY d.date COLLATE "C", d.id), max(d.date COLLATE "C")
  INTO chosen, last_date FROM due d;
  IF cardinality(chosen) = at_most THEN
    last_id := chosen[at_most];
  ELSE
    last_date := NULL;
  END IF;
  -- The items first, as everywhere: the loans that are over change them.
  SELECT coalesce(array_agg(locked.id), '{}') INTO items
  FROM (
    SELECT i.id FROM item i
    WHERE i.id IN (
      SELECT l.open_item FROM actual_cost_record r JOIN loan l ON l.id = r.loan_id WHERE r.id = ANY (chosen))
    ORDER BY i.id FOR NO KEY UPDATE SKIP LOCKED) locked;
  UPDATE actual_cost_record r
  SET doc = r.doc || jsonb_build_object('status', 'Expired', 'metadata', coalesce(r.doc->'metadata', '{}') || stamp)
  WHERE r.id IN (
    SELECT o.id FROM actual_cost_record o LEFT JOIN loan l ON l.id = o.loan_id
    WHERE o.id = ANY (chosen) AND o.doc->>'status' = 'Open'
      AND (l.open_item IS NULL OR l.open_item = ANY (items))
    ORDER BY o.id FOR UPDATE OF o SKIP LOCKED);
  GET DIAGNOSTICS expired = ROW_COUNT;
END $$;
