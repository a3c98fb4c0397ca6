-- What follows from writing a loan, whoever writes it: the desk, the storage API or a loader
-- (docs/folio/loans.md#stored-loans, docs/folio/patron-blocks.md).

CREATE OR REPLACE FUNCTION add_to_counters(patron uuid, loans bigint, claimed bigint, lost bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patron_counters c
  SET open_loans = c.open_loans + loans, claimed_returned = c.claimed_returned + claimed,
      lost_items = c.lost_items + lost
  WHERE c.user_id = patron;
  IF NOT FOUND THEN
    INSERT INTO patron_counters AS c (user_id, open_loans, claimed_returned, lost_items)
    VALUES (patron, loans, claimed, lost)
    ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans + loans,
      claimed_returned = c.claimed_returned + claimed, lost_items = c.lost_items + lost;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION loan_version(operation text, loan jsonb, moment timestamptz DEFAULT clock_timestamp())
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object('id', carrel.new_id(), 'operation', operation,
    'createdDate', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), 'loan', loan);
END $$;

-- Counters and history are written once per statement, however many loans it writes: `past` holds the old rows and
-- `present` the new ones. A renewal or a note changes no counter, so it does not wait for changes of the counters.
-- Patrons are locked in order, so that two jobs wait for each other instead of deadlocking.
DROP TRIGGER IF EXISTS loan_changed ON loan;
DROP FUNCTION IF EXISTS loan_changed();
DROP FUNCTION IF EXISTS count_loan(jsonb, int);

DO $do$
DECLARE
  gone text := 'SELECT open_borrower, doc, -1 AS sign FROM past';
  here text := 'SELECT open_borrower, doc, 1 AS sign FROM present';
  written record;
BEGIN
  FOR written IN
    SELECT * FROM (VALUES
      ('loans_made', 'INSERT', 'NEW TABLE AS present', here, 'present'),
      ('loans_changed', 'UPDATE', 'OLD TABLE AS past NEW TABLE AS present', gone || ' UNION ALL ' || here, 'present'),
      ('loans_deleted', 'DELETE', 'OLD TABLE AS past', gone, 'past')) w (name, event, tables, counted, kept)
  LOOP
    EXECUTE format($template$
      CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $function$
      BEGIN
        PERFORM add_to_counters(c.patron, c.loans, c.claimed, c.lost)
        FROM (
          SELECT l.open_borrower AS patron, sum(l.sign) AS loans,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' = 'Claimed returned'), 0) AS claimed,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')), 0) AS lost
          FROM (%2$s) l WHERE l.open_borrower IS NOT NULL GROUP BY l.open_borrower ORDER BY l.open_borrower) c
        WHERE (c.loans, c.claimed, c.lost) <> (0, 0, 0);
        INSERT INTO loan_history (id, doc)
        SELECT (v.version->>'id')::uuid, v.version
        FROM (SELECT loan_version(left(TG_OP, 1), l.doc) AS version FROM %3$I l OFFSET 0) v;
        RETURN NULL;
      END $function$ $template$, written.name, written.counted, written.kept);
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER %2$s ON loan REFERENCING %3$s FOR EACH STATEMENT '
      'EXECUTE FUNCTION %1$I()', written.name, written.event, written.tables);
  END LOOP;
END $do$;

-- Truncation: the history of the loans stays, as with mod-circulation-storage.
CREATE OR REPLACE FUNCTION loans_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patron_counters c SET open_loans = 0, claimed_returned = 0, lost_items = 0
  WHERE (c.open_loans, c.claimed_returned, c.lost_items) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER loans_emptied AFTER TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION loans_emptied();
