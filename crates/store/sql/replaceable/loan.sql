-- What a loan entails, whoever writes it: the desk, the storage API, a loader (docs/folio/loans.md#stored-loans,
-- docs/folio/patron-blocks.md).

-- An open loan belongs to an item and a borrower that exist; an item has at most one. A closed loan may outlive both.
ALTER TABLE loan ADD COLUMN IF NOT EXISTS open_item uuid
  GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'itemId')::uuid END) STORED;
ALTER TABLE loan ADD COLUMN IF NOT EXISTS open_borrower uuid
  GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'userId')::uuid END) STORED;
CREATE UNIQUE INDEX IF NOT EXISTS loan_one_open_for_an_item ON loan (open_item) WHERE open_item IS NOT NULL;
DROP INDEX IF EXISTS loan_open_by_borrower;
CREATE INDEX IF NOT EXISTS loan_open_by_borrower_due ON loan (open_borrower, ((doc->>'dueDate') COLLATE "C"))
  WHERE open_borrower IS NOT NULL;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'loan_open_item_fkey' AND conrelid = 'loan'::regclass) THEN
    ALTER TABLE loan ADD CONSTRAINT loan_open_item_fkey FOREIGN KEY (open_item) REFERENCES item (id),
      ADD CONSTRAINT loan_open_borrower_fkey FOREIGN KEY (open_borrower) REFERENCES users (id);
  END IF;
END $$;

-- What counts for a patron's blocks, kept in the transaction that changes it, so that a block costs the same for a
-- patron with no past and one with 50,000 closed loans.
CREATE TABLE IF NOT EXISTS patron_counters (
  user_id          uuid PRIMARY KEY,
  open_loans       int NOT NULL DEFAULT 0 CHECK (open_loans >= 0),
  claimed_returned int NOT NULL DEFAULT 0 CHECK (claimed_returned >= 0),
  lost_items       int NOT NULL DEFAULT 0 CHECK (lost_items >= 0),
  fee_balance      numeric(14,2) NOT NULL DEFAULT 0
);

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

CREATE OR REPLACE FUNCTION loan_version(operation text, loan jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object('id', carrel.new_id(), 'operation', operation,
    'createdDate', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), 'loan', loan);
END $$;

-- Counters and history are written once for a statement, however many loans it writes: `past` is what it found and
-- `present` what it left. A renewal or a note changes no counter, and does not wait for whoever changes one; patrons are
-- taken in order, so that two jobs wait for each other and do not lock up.
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

-- All loans at once: their past stays, as with mod-circulation-storage.
CREATE OR REPLACE FUNCTION loans_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patron_counters c SET open_loans = 0, claimed_returned = 0, lost_items = 0
  WHERE (c.open_loans, c.claimed_returned, c.lost_items) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER loans_emptied AFTER TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION loans_emptied();

-- What patron blocks look at: items out, lost and past due now, and debts; nothing here depends on closed loans, and
-- only on those open ones that are past due. Items that the patron claims to have returned do not count, nor do their fees:
-- they are the only reason to look at single fees.
CREATE INDEX IF NOT EXISTS accounts_open_by_user ON accounts (userid) WHERE doc#>>'{status,name}' = 'Open';

CREATE OR REPLACE FUNCTION patron_standing(patron uuid, now_as_stored text) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted patron_counters;
BEGIN
  SELECT * INTO counted FROM patron_counters WHERE user_id = patron;
  RETURN json_build_object(
    'openLoans', coalesce(counted.open_loans - counted.claimed_returned, 0),
    'claimedReturned', coalesce(counted.claimed_returned, 0),
    'lost', coalesce(counted.lost_items, 0),
    'pastDue', coalesce(
      (SELECT json_agg(json_build_object('dueDate', l.doc->'dueDate', 'loanPolicyId', l.doc->'loanPolicyId',
                                         'recall', coalesce((l.doc->>'dueDateChangedByRecall')::boolean, false)))
       FROM loan l
       WHERE l.open_borrower = patron AND (l.doc->>'dueDate') COLLATE "C" < now_as_stored
         AND l.doc->>'itemStatus' IS DISTINCT FROM 'Claimed returned'), '[]'),
    'feeBalance', CASE WHEN counted.claimed_returned > 0 THEN coalesce(
      (SELECT sum((a.doc->>'remaining')::numeric) FROM accounts a
       WHERE a.userid = patron AND a.doc#>>'{status,name}' = 'Open'
         AND NOT EXISTS (SELECT FROM loan l WHERE l.id = a.loanid AND l.open_borrower = patron
                           AND l.doc->>'itemStatus' = 'Claimed returned')), 0)
      ELSE coalesce(counted.fee_balance, 0) END);
END $$;
