-- Overdue items age to lost (docs/folio/lost-items.md#ageing-to-lost). In Rust: desk/src/lost_items/ageing.rs.

-- A period of a policy; null for a missing or empty one, which both mean never or at once.
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

-- The next loans after one, in order of due date, that are overdue and may age. Each call reads its own section of the
-- index. With outdated statistics the planner would rather sort all overdue loans for each section; the setting ends
-- with this function, because other statements need sorts.
CREATE OR REPLACE FUNCTION next_overdue(now_as_stored text, after_due text, after_id uuid, at_most int)
RETURNS TABLE (id uuid, due text, policy uuid, recalled boolean) LANGUAGE sql STABLE SET enable_sort = off AS $$
  SELECT l.id, l.may_age, coalesce(l.lostitempolicyid, (l.rest->>'lostItemPolicyId')::uuid),
         coalesce((l.rest->>'dueDateChangedByRecall')::boolean, false)
  FROM loan l
  WHERE l.may_age < now_as_stored AND (l.may_age, l.id) > (after_due, after_id)
  ORDER BY l.may_age, l.id LIMIT at_most
$$;

-- Ages overdue loans to lost by their policies. Examines a limited number, in order of due date, and returns how many
-- it examined and aged, and the due date and id of the last one, after which the next call continues. Locked rows are
-- left to the next run; if another process is ageing loans of this tenant, nothing happens.
CREATE OR REPLACE FUNCTION age_to_lost(
  now_as_stored text, stamp jsonb, after_due text, after_id uuid, at_most int,
  OUT looked_at bigint, OUT aged bigint, OUT last_due text, OUT last_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  aged_at timestamp := now_as_stored::timestamptz AT TIME ZONE 'UTC';
  loans uuid[];
  items uuid[];
  dues text[];
  billed text[];
  befores jsonb[];
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
    WHERE t.ages IS NOT NULL)
  SELECT count(*), max(o.due COLLATE "C"), (array_agg(o.id ORDER BY o.due COLLATE "C" DESC, o.id DESC))[1],
         array_agg(o.id) FILTER (WHERE t.ages IS NOT NULL), array_agg(o.due) FILTER (WHERE t.ages IS NOT NULL),
         array_agg(t.billed) FILTER (WHERE t.ages IS NOT NULL)
  INTO looked_at, last_due, last_id, loans, dues, billed
  FROM next_overdue(now_as_stored, after_due, after_id, at_most) o LEFT JOIN terms t
    ON t.id = o.policy AND t.recalled = o.recalled AND o.due::timestamptz AT TIME ZONE 'UTC' + t.ages <= aged_at;
  SELECT array_agg(c.id), array_agg(c.open_item), array_agg(c.billed), array_agg(c.state)
  INTO loans, items, billed, befores
  FROM (
    SELECT l.id, l.open_item, ripe.billed, s.state
    FROM unnest(loans, dues, billed) ripe (id, due, billed) JOIN loan l ON l.id = ripe.id
      JOIN item_state s ON s.id = l.open_item
    WHERE l.may_age = ripe.due
    FOR NO KEY UPDATE OF s, l SKIP LOCKED) c;
  IF loans IS NULL THEN
    RETURN;
  END IF;
  aged := cardinality(loans);
  UPDATE item_state s
  SET state = s.state || jsonb_build_object(
    'status', jsonb_build_object('name', 'Aged to lost', 'date', now_as_stored),
    '_version', (s.state->>'_version')::bigint + 1, 'metadata', coalesce(s.state->'metadata', '{}') || stamp)
  WHERE s.id = ANY (items);
  PERFORM item_states_changed(items, befores);
  PERFORM change_loans(array_agg((l.doc - 'actionComment') || jsonb_build_object(
    'action', 'itemAgedToLost', 'itemStatus', 'Aged to lost',
    'agedToLostDelayedBilling', jsonb_build_object(
      'lostItemHasBeenBilled', false, 'dateLostItemShouldBeBilled', c.billed, 'agedToLostDate', now_as_stored),
    'metadata', coalesce(l.doc->'metadata', '{}') || stamp)))
  FROM unnest(loans, billed) c (id, billed) JOIN (SELECT r.id, r.doc FROM loan r WHERE r.id = ANY (loans) OFFSET 0) l ON l.id = c.id;
  PERFORM note_events((
    SELECT jsonb_agg(jsonb_build_object('event', 'Aged to lost', 'loanId', id)) FROM unnest(loans) id
    WHERE EXISTS (
      SELECT FROM patron_notice_policy p
      WHERE jsonb_path_exists(p.doc, '$.loanNotices[*].sendOptions.sendWhen ? (@ == "Aged to lost")'))));
END $$;
