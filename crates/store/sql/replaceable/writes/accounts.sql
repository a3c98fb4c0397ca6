-- Writes fee and fine accounts with what follows from them: a patron's debt, and the end of a lost item's loan
-- (docs/folio/fees-fines.md). Everything that writes accounts calls these functions.

-- The debt of an account: zero if it is closed.
CREATE OR REPLACE FUNCTION owed(account jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN account#>>'{status,name}' = 'Open' THEN round((account->>'remaining')::numeric, 2) ELSE 0 END
$$;

-- Counts accounts that are `gone` and `here`, so that a block for an outstanding balance costs the same however long
-- the history. Patrons are locked in order, as in count_loans.
CREATE OR REPLACE FUNCTION count_fees(gone jsonb[], here jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patron_counters AS c (user_id, fee_balance)
  SELECT (a.doc->>'userId')::uuid, sum(a.amount)
  FROM (SELECT doc, -owed(doc) AS amount FROM unnest(gone) AS past (doc) UNION ALL
        SELECT doc, owed(doc) FROM unnest(here) AS present (doc)) a
  WHERE a.doc->>'userId' IS NOT NULL GROUP BY 1 HAVING sum(a.amount) <> 0 ORDER BY 1
  ON CONFLICT (user_id) DO UPDATE SET fee_balance = c.fee_balance + excluded.fee_balance;
END $$;

-- Adds accounts; returns their number.
CREATE OR REPLACE FUNCTION add_accounts(docs jsonb[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (id, doc, userid, loanid, status_name_fold)
  SELECT (new.doc->>'id')::uuid, new.doc, c.userid, c.loanid, c.status_name_fold
  FROM unnest(docs) WITH ORDINALITY AS new (doc, place), accounts_columns(new.doc) c ORDER BY new.place;
  PERFORM count_fees('{}', docs);
  RETURN cardinality(docs);
END $$;

-- Adds those of the accounts whose id is not taken; returns their number.
CREATE OR REPLACE FUNCTION add_missing_accounts(docs jsonb[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN add_accounts(ARRAY(
    SELECT new.doc FROM unnest(docs) WITH ORDINALITY AS new (doc, place)
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = (new.doc->>'id')::uuid) ORDER BY new.place));
END $$;

-- Changes accounts; returns their number. With `befores`, only accounts that are still those records are changed. The
-- loan of a lost item ends when its last fee is settled.
CREATE OR REPLACE FUNCTION change_accounts(docs jsonb[], befores jsonb[] DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb[];
  here jsonb[];
  settled jsonb[];
BEGIN
  SELECT array_agg(a.doc), array_agg(a.new_doc),
         array_agg(a.new_doc) FILTER (WHERE a.new_doc ? 'loanId' AND a.new_doc#>>'{status,name}' = 'Closed'
                                      AND (a.new_doc->>'remaining')::numeric = 0 AND a.new_doc <> a.doc)
  INTO gone, here, settled
  FROM (SELECT a.doc, new.doc AS new_doc, new.before
        FROM unnest(docs, befores) AS new (doc, before) JOIN accounts a ON a.id = (new.doc->>'id')::uuid
        ORDER BY a.id FOR NO KEY UPDATE OF a) a
  WHERE befores IS NULL OR a.doc = a.before;
  IF gone IS NULL THEN
    RETURN 0;
  END IF;
  UPDATE accounts a
  SET doc = new.doc, userid = c.userid, loanid = c.loanid, status_name_fold = c.status_name_fold
  FROM unnest(here) AS new (doc), accounts_columns(new.doc) c
  WHERE a.id = (new.doc->>'id')::uuid;
  PERFORM count_fees(gone, here);
  IF settled IS NOT NULL THEN
    PERFORM close_lost_loan((new.doc->>'loanId')::uuid,
                            coalesce(new.doc->'metadata', '{}') - 'createdDate' - 'createdByUserId')
    FROM unnest(settled) AS new (doc);
  END IF;
  RETURN cardinality(here);
END $$;

-- Removes accounts; returns their number.
CREATE OR REPLACE FUNCTION remove_accounts(ids uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb[];
BEGIN
  WITH removed AS (DELETE FROM accounts a WHERE a.id = ANY (ids) RETURNING a.doc)
  SELECT coalesce(array_agg(r.doc), '{}') INTO gone FROM removed r;
  PERFORM count_fees(gone, '{}');
  RETURN cardinality(gone);
END $$;
