-- The tables that the desk writes all day get plain columns instead of generated ones, with indexes on columns instead of
-- expressions, and the desk's state of an item goes to a narrow table (decision 36). This prepares libraries from before:
-- the declared tables and `sql/replaceable/` make what is new. Each statement does nothing in a new library.

-- Indexes that now have another definition under the same name, or that no query of FOLIO's clients needs.
DROP INDEX IF EXISTS loan_duedate_exact, loan_status_name_fold, loan_userid_ref, loan_itemid_ref, loan_proxyuserid_ref,
  loan_open_by_borrower_due, loan_that_may_age, loan_to_bill, loan_with_past_borrower,
  loan_history_loan_id_ref, loan_history_loan_userid_ref, loan_history_loan_itemid_ref, loan_history_createddate_exact,
  check_in_itemid_ref, check_in_servicepointid_ref, check_in_performedbyuserid_ref,
  loan_history_seq_idx, patron_action_session_patronid_ref, patron_action_session_seq_idx;

-- Columns that only those indexes read. PostgreSQL would compute them for each new row for ever.
ALTER TABLE IF EXISTS loan_history DROP COLUMN IF EXISTS loan_userid, DROP COLUMN IF EXISTS loan_itemid;
ALTER TABLE IF EXISTS check_in DROP COLUMN IF EXISTS servicepointid, DROP COLUMN IF EXISTS performedbyuserid;

-- Counters and history are written by the functions that write loans.
DROP TRIGGER IF EXISTS loans_made ON loan;
DROP TRIGGER IF EXISTS loans_changed ON loan;
DROP TRIGGER IF EXISTS loans_deleted ON loan;
DROP FUNCTION IF EXISTS loans_made(), loans_changed(), loans_deleted();

-- Closed loans of deleted items and patrons stay, but an open loan belongs to an item's state.
ALTER TABLE IF EXISTS loan DROP CONSTRAINT IF EXISTS loan_open_item_fkey;

DROP TRIGGER IF EXISTS item_uncommon_status_new ON item;
DROP TRIGGER IF EXISTS item_uncommon_status_changed ON item;
DROP TRIGGER IF EXISTS item_uncommon_status_gone ON item;
DROP TRIGGER IF EXISTS event_record ON item;
DROP FUNCTION IF EXISTS keep_uncommon_status();
DO $$ BEGIN
  IF to_regclass('item') IS NOT NULL THEN
    CREATE TABLE item_state (id uuid PRIMARY KEY, state jsonb NOT NULL, queue bigint NOT NULL DEFAULT 0)
      WITH (fillfactor = 70);
    INSERT INTO item_state (id, state) SELECT id, state FROM item;
    ALTER TABLE item DROP COLUMN state, RESET (fillfactor);
  END IF;
END $$;
