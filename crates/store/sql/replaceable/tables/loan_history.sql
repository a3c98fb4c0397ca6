-- The history of loans (docs/folio/loans.md#loan-history, decision 95). A version has what its change `replaced`, the members with
-- the values they had, and the names of those that it `added`. So the last version is the stored loan, and each other one follows
-- from the next. A version has its own `loan` if no later one leads to it: that of a removed loan, one that was never stored, and
-- those from before migration 177.

DROP VIEW IF EXISTS loan_history_record;
DROP FUNCTION IF EXISTS loan_as_of(uuid, bigint);

-- A loan as one of its versions has it: each later change is undone, the last one first.
CREATE FUNCTION loan_as_of(of_loan uuid, version bigint) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  found jsonb := (SELECT l.doc FROM loan l WHERE l.id = of_loan);
  later record;
BEGIN
  FOR later IN SELECT v.loan, coalesce(v.added, '{}') AS added, coalesce(v.replaced, '{}') AS replaced FROM loan_history v
               WHERE v.loan_id = of_loan AND v.seq > version ORDER BY v.seq DESC LOOP
    found := (coalesce(later.loan, found) - later.added) || later.replaced;
  END LOOP;
  RETURN found;
END $$;

-- The versions as clients see them.
CREATE VIEW loan_history_record AS
SELECT h.id, h.seq, h.loan_id, h.createddate_exact, h.lending, h.service_point,
       jsonb_build_object('id', h.id, 'operation', h.operation, 'createdDate', h.createddate_exact,
                          'loan', coalesce(h.loan, loan_as_of(h.loan_id, h.seq))) AS doc
FROM loan_history h;
