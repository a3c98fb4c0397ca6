-- Recounts the data behind patron blocks (docs/folio/patron-blocks.md) while the desk keeps working. In Rust:
-- store/src/patron_blocks.rs.

-- Recounts the open loans and debts of these patrons (docs/folio/patron-blocks.md#counting-again). Any change of them
-- locks the patron's counters until it is committed, so nothing is missed while the counters are locked here.
CREATE OR REPLACE FUNCTION recount_patrons(patrons uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patron_counters (user_id) SELECT p.id FROM unnest(patrons) AS p (id) ORDER BY p.id ON CONFLICT DO NOTHING;
  PERFORM FROM patron_counters c WHERE c.user_id = ANY (patrons) ORDER BY c.user_id FOR UPDATE;
  UPDATE patron_counters c
  SET open_loans = n.open_loans, claimed_returned = n.claimed_returned, lost_items = n.lost_items,
      fee_balance = n.fee_balance
  FROM (
    SELECT p.id, l.open_loans, l.claimed_returned, l.lost_items, f.fee_balance
    FROM unnest(patrons) AS p (id)
    CROSS JOIN LATERAL (
      SELECT count(*) AS open_loans,
             count(*) FILTER (WHERE o.itemstatus = 'Claimed returned') AS claimed_returned,
             count(*) FILTER (WHERE o.itemstatus IN ('Declared lost', 'Aged to lost')) AS lost_items
      FROM loan o WHERE o.open_borrower = p.id) l
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(owed(a.doc)), 0) AS fee_balance
      FROM accounts a WHERE a.userid = p.id AND a.status_name_fold = 'open') f) n
  WHERE c.user_id = n.id
    AND (c.open_loans, c.claimed_returned, c.lost_items, c.fee_balance)
        IS DISTINCT FROM (n.open_loans::int, n.claimed_returned::int, n.lost_items::int, n.fee_balance);
END $$;

-- The same; returns the number of patrons, their open loans and open fees, and the last patron.
CREATE OR REPLACE FUNCTION recount_these_patrons(
  chosen uuid[], OUT patrons bigint, OUT loans bigint, OUT fees bigint, OUT last_id uuid)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recount_patrons(chosen);
  patrons := cardinality(chosen);
  last_id := chosen[patrons];
  SELECT count(*) INTO loans FROM loan l WHERE l.open_borrower = ANY (chosen);
  SELECT count(*) INTO fees FROM accounts a WHERE a.userid = ANY (chosen) AND a.status_name_fold = 'open';
END $$;

-- The same for a limited number of patrons after the given one; the next call continues after the last.
CREATE OR REPLACE FUNCTION recount_patrons_after(
  after_id uuid, at_most int, OUT patrons bigint, OUT loans bigint, OUT fees bigint, OUT last_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[];
BEGIN
  SELECT array_agg(n.id ORDER BY n.id) INTO chosen
  FROM (
    (SELECT c.user_id AS id FROM patron_counters c WHERE c.user_id > after_id ORDER BY 1 LIMIT at_most)
    UNION
    (SELECT DISTINCT l.open_borrower FROM loan l WHERE l.open_borrower > after_id ORDER BY 1 LIMIT at_most)
    UNION
    (SELECT DISTINCT a.userid FROM accounts a
     WHERE a.userid > after_id AND a.status_name_fold = 'open' ORDER BY 1 LIMIT at_most)
    ORDER BY 1 LIMIT at_most) n;
  SELECT t.* INTO patrons, loans, fees, last_id FROM recount_these_patrons(coalesce(chosen, '{}')) t;
END $$;
