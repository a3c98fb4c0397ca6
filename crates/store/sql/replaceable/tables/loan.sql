-- An open loan refers to an existing item and borrower, and an item has at most one open loan. A closed loan may
-- outlive both.
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

-- Loans that may age to lost, by due date: without closed loans and without those already lost.
DROP INDEX IF EXISTS loan_open_by_due_date;
CREATE INDEX IF NOT EXISTS loan_that_may_age ON loan (((doc->>'dueDate') COLLATE "C"), id)
  WHERE open_item IS NOT NULL
    AND coalesce(doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost');

-- Loans of aged-to-lost items to be billed, by date.
CREATE INDEX IF NOT EXISTS loan_to_bill
  ON loan (((doc#>>'{agedToLostDelayedBilling,dateLostItemShouldBeBilled}') COLLATE "C"), id)
  WHERE open_item IS NOT NULL AND doc#>>'{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false';

-- Closed loans with a borrower, by date of return: the work left for anonymization. An anonymized loan leaves the
-- index, so old loans cost nothing once they are anonymized.
CREATE INDEX IF NOT EXISTS loan_with_past_borrower
  ON loan ((coalesce(doc->>'systemReturnDate', '') COLLATE "C"), id)
  WHERE doc#>>'{status,name}' = 'Closed' AND doc ? 'userId';
