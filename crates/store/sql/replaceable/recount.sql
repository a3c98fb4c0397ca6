-- Counts again what patron blocks look at (docs/folio/patron-blocks.md#counting-again), while the desk goes on.

-- Counts the open loans and the debts of these patrons. Whoever changes one of them holds the patron's counters until the
-- change is there, so what is counted while they are held here is all there is.
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
             count(*) FILTER (WHERE o.doc->>'itemStatus' = 'Claimed returned') AS claimed_returned,
             count(*) FILTER (WHERE o.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')) AS lost_items
      FROM loan o WHERE o.open_borrower = p.id) l
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(owed(a.doc)), 0) AS fee_balance
      FROM accounts a WHERE a.userid = p.id AND a.doc#>>'{status,name}' = 'Open') f) n
  WHERE c.user_id = n.id
    AND (c.open_loans, c.claimed_returned, c.lost_items, c.fee_balance)
        IS DISTINCT FROM (n.open_loans::int, n.claimed_returned::int, n.lost_items::int, n.fee_balance);
END $$;

-- The same, and how many patrons these are, how many open loans and open fees they have, and the last of them.
CREATE OR REPLACE FUNCTION recount_these_patrons(
  chosen uuid[], OUT patrons bigint, OUT loans bigint, OUT fees bigint, OUT last_id uuid)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recount_patrons(chosen);
  patrons := cardinality(chosen);
  last_id := chosen[patrons];
  SELECT count(*) INTO loans FROM loan l WHERE l.open_borrower = ANY (chosen);
  SELECT count(*) INTO fees FROM accounts a WHERE a.userid = ANY (chosen) AND a.doc#>>'{status,name}' = 'Open';
END $$;

-- The same for at most so many patrons after that one; the last of them is where the next call goes on.
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
     WHERE a.userid > after_id AND a.doc#>>'{status,name}' = 'Open' ORDER BY 1 LIMIT at_most)
    ORDER BY 1 LIMIT at_most) n;
  SELECT t.* INTO patrons, loans, fees, last_id FROM recount_these_patrons(coalesce(chosen, '{}')) t;
END $$;

-- Renumbers all queues: those of titles, or of items (docs/folio/request-queues.md#title-level-requests-on-and-off).
-- How many requests wait in them.
CREATE OR REPLACE FUNCTION renumber_queues(of_titles boolean, stamp jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  waiting bigint;
BEGIN
  PERFORM FROM request r WHERE r.open_title IS NOT NULL OR r.open_item IS NOT NULL ORDER BY r.id FOR UPDATE;
  UPDATE request r
  SET doc = r.doc || jsonb_build_object('position', place.new, 'metadata', coalesce(r.doc->'metadata', '{}') || stamp)
  FROM (SELECT q.id, row_number() OVER (PARTITION BY CASE WHEN of_titles THEN q.open_title ELSE q.open_item END
                                        ORDER BY q.queue_position, q.seq) AS new
        FROM request q
        WHERE CASE WHEN of_titles THEN q.open_title ELSE q.open_item END IS NOT NULL) place
  WHERE r.id = place.id AND r.queue_position IS DISTINCT FROM place.new;
  SELECT count(*) INTO waiting FROM request r
  WHERE CASE WHEN of_titles THEN r.open_title ELSE r.open_item END IS NOT NULL;
  RETURN waiting;
END $$;
