-- Loans that were removed, but whose history has entries of the circulation log: it finds them by their items and patrons.
CREATE TABLE removed_loan (
  id     uuid PRIMARY KEY,
  itemid uuid,
  userid uuid
);
CREATE INDEX removed_loan_item ON removed_loan (itemid);
CREATE INDEX removed_loan_user ON removed_loan (userid);
DO $$ BEGIN
  IF to_regclass('loan_history') IS NOT NULL THEN
    INSERT INTO removed_loan (id, itemid, userid)
    SELECT (h.doc#>>'{loan,id}')::uuid, (h.doc#>>'{loan,itemId}')::uuid, (h.doc#>>'{loan,userId}')::uuid
    FROM loan_history h WHERE h.doc->>'operation' = 'D'
    ON CONFLICT (id) DO NOTHING;
  END IF;
END $$;
