-- What a loan entails, whoever writes it: the desk, the storage API, a loader (folio-circulation §6.1, §7.5).

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

CREATE OR REPLACE FUNCTION count_loan(loan jsonb, sign int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  borrower uuid := loan->>'userId';
  claimed int := CASE WHEN loan->>'itemStatus' = 'Claimed returned' THEN sign ELSE 0 END;
  lost int := CASE WHEN loan->>'itemStatus' IN ('Declared lost', 'Aged to lost') THEN sign ELSE 0 END;
BEGIN
  IF borrower IS NULL OR loan#>>'{status,name}' IS DISTINCT FROM 'Open' THEN
    RETURN;
  END IF;
  IF sign > 0 THEN
    INSERT INTO patron_counters AS c (user_id, open_loans, claimed_returned, lost_items)
    VALUES (borrower, 1, claimed, lost)
    ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans + 1,
      claimed_returned = c.claimed_returned + claimed, lost_items = c.lost_items + lost;
  ELSE
    UPDATE patron_counters c SET open_loans = c.open_loans - 1,
      claimed_returned = c.claimed_returned + claimed, lost_items = c.lost_items + lost
    WHERE c.user_id = borrower;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION loan_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A renewal or a note changes no counter, and does not wait for whoever changes one.
  IF TG_OP <> 'UPDATE'
     OR (OLD.open_borrower, OLD.doc->>'itemStatus') IS DISTINCT FROM (NEW.open_borrower, NEW.doc->>'itemStatus') THEN
    IF TG_OP <> 'INSERT' THEN
      PERFORM count_loan(OLD.doc, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
      PERFORM count_loan(NEW.doc, 1);
    END IF;
  END IF;
  INSERT INTO loan_history (id, doc)
  SELECT entry.id, jsonb_build_object('id', entry.id, 'operation', left(TG_OP, 1),
    'createdDate', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'loan', CASE WHEN TG_OP = 'DELETE' THEN OLD.doc ELSE NEW.doc END)
  FROM (SELECT carrel.new_id() AS id) entry;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER loan_changed AFTER INSERT OR UPDATE OR DELETE ON loan
  FOR EACH ROW EXECUTE FUNCTION loan_changed();

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
