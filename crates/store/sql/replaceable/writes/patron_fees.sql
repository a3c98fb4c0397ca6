-- A patron's debt is kept beside the count of open loans (patron_counters, see loan_entails.sql), in the transaction
-- that changes an account, so that a block for an outstanding balance costs the same however long the history.

-- The debt of an account: zero if it is closed.
CREATE OR REPLACE FUNCTION owed(account jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN account#>>'{status,name}' = 'Open' THEN round((account->>'remaining')::numeric, 2) ELSE 0 END;
END $$;

CREATE OR REPLACE FUNCTION count_patron_fees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.userid IS NOT NULL THEN
    UPDATE patron_counters SET fee_balance = fee_balance - owed(OLD.doc) WHERE user_id = OLD.userid;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.userid IS NOT NULL THEN
    INSERT INTO patron_counters (user_id, fee_balance) VALUES (NEW.userid, owed(NEW.doc))
    ON CONFLICT (user_id) DO UPDATE SET fee_balance = patron_counters.fee_balance + excluded.fee_balance;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER accounts_count_fees AFTER INSERT OR UPDATE OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION count_patron_fees();
