-- A version of a loan keeps what its change replaced, not the whole loan (decision 95). The versions that are there keep their loan.
DO $$ BEGIN
  IF to_regclass('loan_history') IS NULL THEN
    CREATE TABLE loan_history (
      id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, loan_id uuid, createddate_exact text COLLATE "C",
      operation text NOT NULL, lending smallint, replaced jsonb, loan jsonb);
  ELSE
    DROP INDEX IF EXISTS loan_history_loan_id_ref, loan_history_createddate_exact, loan_history_of_ageing;
    -- As generated columns, which PostgreSQL fills in one rewrite of the table; those that are plain already stay.
    ALTER TABLE loan_history
      DROP COLUMN IF EXISTS is_ageing,
      ADD COLUMN IF NOT EXISTS loan_id uuid GENERATED ALWAYS AS ((doc#>>'{loan,id}')::uuid) STORED,
      ADD COLUMN IF NOT EXISTS createddate_exact text COLLATE "C"
        GENERATED ALWAYS AS (left(doc->>'createdDate', 600) COLLATE "C") STORED,
      ADD COLUMN operation text GENERATED ALWAYS AS (doc->>'operation') STORED,
      ADD COLUMN lending smallint GENERATED ALWAYS AS (CASE
        WHEN doc->>'operation' = 'I' AND doc#>>'{loan,action}' IN ('checkedout', 'checkedOutThroughOverride') THEN 1
        WHEN doc->>'operation' = 'U'
             AND doc#>>'{loan,action}' IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary')
             AND doc#>>'{loan,systemReturnDate}' = doc#>>'{loan,metadata,updatedDate}' THEN 2
        WHEN doc->>'operation' = 'U' AND doc#>>'{loan,action}' = 'itemAgedToLost'
             AND doc#>>'{loan,agedToLostDelayedBilling,agedToLostDate}' = doc#>>'{loan,metadata,updatedDate}' THEN 3
        END) STORED,
      ADD COLUMN replaced jsonb;
    ALTER TABLE loan_history
      ALTER COLUMN loan_id DROP EXPRESSION IF EXISTS, ALTER COLUMN createddate_exact DROP EXPRESSION IF EXISTS,
      ALTER COLUMN operation DROP EXPRESSION, ALTER COLUMN lending DROP EXPRESSION;
    ALTER TABLE loan_history RENAME COLUMN doc TO loan;
    ALTER TABLE loan_history
      ALTER COLUMN operation SET NOT NULL, ALTER COLUMN loan DROP NOT NULL, ALTER COLUMN loan TYPE jsonb USING loan->'loan';
    -- The anonymized version of a loan looks like the one before it: only that one has entries in the circulation log.
    UPDATE loan_history h SET lending = NULL
    FROM (SELECT v.id, row_number() OVER (PARTITION BY v.loan_id, v.lending, v.loan#>>'{metadata,updatedDate}'
                                          ORDER BY v.createddate_exact, v.id) AS place
          FROM loan_history v WHERE v.lending > 1) of
    WHERE of.id = h.id AND of.place > 1 AND NOT h.loan ? 'userId';
  END IF;
  ALTER TABLE loan_history ADD CONSTRAINT loan_history_removed CHECK (operation <> 'D' OR loan IS NOT NULL);
END $$;
