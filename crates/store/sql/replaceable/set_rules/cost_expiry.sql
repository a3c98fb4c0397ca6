-- Actual costs of lost items that were not set in time (docs/folio/lost-items.md#actual-costs). In Rust:
-- desk/src/lost_items/cost_expiry.rs.

-- Expires actual cost records, and closes loans with nothing else to pay. Examines a limited number, oldest expiry
-- first; `last_date` and `last_id` say where the next call continues, null at the end. Locked rows are left to the next
-- run.
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
  -- Locks the items first, as everywhere: closing the loans changes them.
  SELECT coalesce(array_agg(locked.id), '{}') INTO items
  FROM (
    SELECT i.id FROM item_state i
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
