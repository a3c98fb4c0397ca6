-- Shared by the guarded writes (decision 7). Each write repeats the assumptions of its decision; if one no longer
-- holds, it raises 40001 and writes nothing, and Carrel reads and decides again. All writes lock rows in the same
-- order: item, requests, accounts, loan, patron.

CREATE OR REPLACE FUNCTION refuse_stale(stale boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF stale THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a record changed while the change was decided';
  END IF;
END $$;
