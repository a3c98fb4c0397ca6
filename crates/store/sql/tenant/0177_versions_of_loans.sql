-- A version of a loan keeps what its change replaced, not the whole loan (decision 95). The versions that are there keep their loan.
DO $$ BEGIN
  IF to_regclass('loan_history') IS NULL THEN
    CREATE TABLE loan_history (
      id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, loan_id uuid, createddate_exact text COLLATE "C",
      operation text NOT NULL, lending smallint, service_point uuid, replaced jsonb, added text[], loan jsonb);
  ELSE
    DROP INDEX IF EXISTS loan_history_loan_id_ref, loan_history_createddate_exact, loan_history_of_ageing;
    ALTER TABLE loan_history
      DROP COLUMN IF EXISTS is_ageing, ADD COLUMN IF NOT EXISTS loan_id uuid, ALTER COLUMN loan_id DROP EXPRESSION IF EXISTS,
      ADD COLUMN IF NOT EXISTS createddate_exact text COLLATE "C", ADD COLUMN operation text, ADD COLUMN lending smallint,
      ADD COLUMN service_point uuid, ADD COLUMN replaced jsonb, ADD COLUMN added text[];
    -- One rewrite of the table, in which each expression sees the row as it was.
    ALTER TABLE loan_history
      ALTER COLUMN loan_id TYPE uuid USING (doc#>>'{loan,id}')::uuid,
      ALTER COLUMN createddate_exact TYPE text COLLATE "C" USING left(doc->>'createdDate', 600),
      ALTER COLUMN operation TYPE text USING doc->>'operation',
      ALTER COLUMN lending TYPE smallint USING CASE
        WHEN doc->>'operation' = 'I' AND doc#>>'{loan,action}' = 'checkedout' THEN 1
        WHEN doc->>'operation' = 'I' AND doc#>>'{loan,action}' = 'checkedOutThroughOverride' THEN 4
        WHEN doc->>'operation' = 'U'
             AND doc#>>'{loan,action}' IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary')
             AND doc#>>'{loan,systemReturnDate}' = doc#>>'{loan,metadata,updatedDate}' THEN 2
        WHEN doc->>'operation' = 'U' AND doc#>>'{loan,action}' = 'itemAgedToLost'
             AND doc#>>'{loan,agedToLostDelayedBilling,agedToLostDate}' = doc#>>'{loan,metadata,updatedDate}' THEN 3 END,
      ALTER COLUMN service_point TYPE uuid USING CASE
        WHEN doc->>'operation' = 'I' AND doc#>>'{loan,action}' IN ('checkedout', 'checkedOutThroughOverride')
          THEN (doc#>>'{loan,checkoutServicePointId}')::uuid
        WHEN doc->>'operation' = 'U'
             AND doc#>>'{loan,action}' IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary')
             AND doc#>>'{loan,systemReturnDate}' = doc#>>'{loan,metadata,updatedDate}'
          THEN (doc#>>'{loan,checkinServicePointId}')::uuid END,
      ALTER COLUMN doc TYPE jsonb USING doc->'loan';
    ALTER TABLE loan_history RENAME COLUMN doc TO loan;
    ALTER TABLE loan_history ALTER COLUMN operation SET NOT NULL, ALTER COLUMN loan DROP NOT NULL;
    -- The anonymized version of a loan looks like the one before it: only that one has entries in the circulation log.
    UPDATE loan_history h SET lending = NULL
    FROM (SELECT v.id, row_number() OVER (PARTITION BY v.loan_id, v.lending, v.loan#>>'{metadata,updatedDate}'
                                          ORDER BY v.createddate_exact, v.id) AS place
          FROM loan_history v WHERE v.lending IN (2, 3)) alike
    WHERE alike.id = h.id AND alike.place > 1 AND NOT h.loan ? 'userId';
  END IF;
  ALTER TABLE loan_history ADD CONSTRAINT loan_history_removed CHECK (operation <> 'D' OR loan IS NOT NULL);
END $$;
