-- The circulation log reads the ageing of loans from their history instead of entries (is_ageing in reads/circulation_log.sql),
-- and needs no index for the order in which entries were written: its pages are ordered by date.
DO $$ BEGIN
  IF to_regclass('circulation_log') IS NOT NULL THEN
    -- A look into the history of each loan: the planner expects few versions of ageing, and would read all entries for each.
    DELETE FROM circulation_log e
    WHERE e.action_fold = 'age to lost' AND (
      SELECT true FROM loan_history h
      WHERE h.loan_id = (e.doc#>>'{items,0,loanId}')::uuid
        AND h.doc->>'operation' = 'U' AND h.doc#>>'{loan,action}' = 'itemAgedToLost'
        AND h.doc#>>'{loan,agedToLostDelayedBilling,agedToLostDate}' = h.doc#>>'{loan,metadata,updatedDate}'
        AND (e.doc->>'date')::timestamptz - (h.doc->>'createdDate')::timestamptz BETWEEN '-1 minute' AND '1 minute'
      LIMIT 1);
  END IF;
END $$;
DROP INDEX IF EXISTS circulation_log_seq_idx;
