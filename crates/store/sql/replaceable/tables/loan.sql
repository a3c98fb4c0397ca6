-- Indexes and keys of loans, on plain columns (decision 36). Each check-out and each check-in pays for every one of them.

-- An open loan refers to an existing item and borrower, and an item has at most one open loan. A closed loan may
-- outlive both. The key is to the item's state, a row that a check-out changes anyway.
CREATE UNIQUE INDEX IF NOT EXISTS loan_one_open_for_an_item ON loan (open_item) WHERE open_item IS NOT NULL;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'loan_open_item_fkey' AND conrelid = 'loan'::regclass) THEN
    ALTER TABLE loan ADD CONSTRAINT loan_open_item_fkey FOREIGN KEY (open_item) REFERENCES item_state (id);
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'loan_open_borrower_fkey' AND conrelid = 'loan'::regclass) THEN
    ALTER TABLE loan ADD CONSTRAINT loan_open_borrower_fkey FOREIGN KEY (open_borrower) REFERENCES users (id);
  END IF;
END $$;

-- A patron's open loans, and those past due: each check-out and renewal asks for them.
CREATE INDEX IF NOT EXISTS loan_open_by_borrower_due ON loan (open_borrower, duedate_exact)
  WHERE open_borrower IS NOT NULL;

-- A patron's loans, those that are not closed first of all: the patron's page, and each check-out of the desk's page. An
-- anonymized loan leaves the index.
CREATE INDEX IF NOT EXISTS loan_by_borrower ON loan (userid, status_name_fold) WHERE userid IS NOT NULL;

-- Open loans by due date: reports of overdue loans, and lists of open loans.
CREATE INDEX IF NOT EXISTS loan_open_by_due ON loan (duedate_exact) WHERE status_name_fold = 'open';

-- Loans that may age to lost, by due date: without closed loans and without those already lost.
CREATE INDEX IF NOT EXISTS loan_that_may_age ON loan (may_age, id) WHERE may_age IS NOT NULL;

-- Loans of aged-to-lost items to be billed, by date.
CREATE INDEX IF NOT EXISTS loan_to_bill ON loan (to_bill, id) WHERE to_bill IS NOT NULL;

-- Closed loans with a borrower, by date of return: the work left for anonymization. An anonymized loan leaves the
-- index, so old loans cost nothing once they are anonymized.
CREATE INDEX IF NOT EXISTS loan_with_past_borrower ON loan (past_return, id) WHERE past_return IS NOT NULL;

-- A loan's history, and the history by date; the versions in which items aged to lost are few (the circulation log).
CREATE INDEX IF NOT EXISTS loan_history_loan_id_ref ON loan_history (loan_id) WHERE loan_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS loan_history_createddate_exact ON loan_history (createddate_exact);
CREATE INDEX IF NOT EXISTS loan_history_of_ageing ON loan_history (createddate_exact) WHERE lending = 3;
