-- Writes loan records with what follows from them: a patron's counters, the loan's history and the circulation log
-- (docs/folio/loans.md#stored-loans, docs/folio/patron-blocks.md, docs/folio/circulation-log.md). Everything that writes loans calls these functions,
-- except an ordinary check-out and check-in, which do the same in one statement (check_out.sql, check_in.sql).

CREATE OR REPLACE FUNCTION add_to_counters(patron uuid, loans bigint, claimed bigint, lost bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patron_counters c
  SET open_loans = c.open_loans + loans, claimed_returned = c.claimed_returned + claimed,
      lost_items = c.lost_items + lost
  WHERE c.user_id = patron;
  IF NOT FOUND THEN
    INSERT INTO patron_counters AS c (user_id, open_loans, claimed_returned, lost_items)
    VALUES (patron, loans, claimed, lost)
    ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans + loans,
      claimed_returned = c.claimed_returned + claimed, lost_items = c.lost_items + lost;
  END IF;
END $$;

-- Counts loans that are `gone` and `here`. A renewal or a note changes no counter, so it does not wait for changes of
-- the counters. Patrons are locked in order, so that two jobs wait for each other instead of deadlocking.
CREATE OR REPLACE FUNCTION count_loans(gone jsonb[], here jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_counters(c.patron, c.loans, c.claimed, c.lost)
  FROM (
    SELECT (l.doc->>'userId')::uuid AS patron, sum(l.sign) AS loans,
           coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' = 'Claimed returned'), 0) AS claimed,
           coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')), 0) AS lost
    FROM (SELECT doc, -1 AS sign FROM unnest(gone) AS past (doc) UNION ALL
          SELECT doc, 1 FROM unnest(here) AS present (doc)) l
    WHERE l.doc#>>'{status,name}' = 'Open' AND l.doc ? 'userId' GROUP BY 1 ORDER BY 1) c
  WHERE (c.loans, c.claimed, c.lost) <> (0, 0, 0);
END $$;

-- Keeps the first versions of loans in the history.
CREATE OR REPLACE FUNCTION keep_first_versions(loans jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point)
  SELECT carrel.new_id(), (l.doc->>'id')::uuid, carrel.stored_moment(clock_timestamp()), 'I', lending_of('I', l.doc),
         lending_place(lending_of('I', l.doc), l.doc)
  FROM unnest(loans) WITH ORDINALITY AS l (doc, place) ORDER BY l.place;
END $$;

-- Keeps changes of loans in the history. An anonymized loan looks like its version before, and is no second return.
CREATE OR REPLACE FUNCTION keep_changes(befores jsonb[], loans jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point, replaced, added)
  SELECT carrel.new_id(), (c.loan->>'id')::uuid, carrel.stored_moment(clock_timestamp()), 'U', c.lending,
         lending_place(c.lending, c.loan), replaced_members(c.before, c.loan), added_members(c.before, c.loan)
  FROM (SELECT p.before, p.loan, p.place,
               CASE WHEN p.loan ? 'userId' OR lending_of('U', p.before) IS DISTINCT FROM lending_of('U', p.loan)
                      OR p.before#>>'{metadata,updatedDate}' IS DISTINCT FROM p.loan#>>'{metadata,updatedDate}'
                 THEN lending_of('U', p.loan) END AS lending
        FROM unnest(befores, loans) WITH ORDINALITY AS p (before, loan, place) OFFSET 0) c
  ORDER BY c.place;
END $$;

-- Adds loans.
CREATE OR REPLACE FUNCTION add_loans(docs jsonb[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loan (id, userid, proxyuserid, itemid, loandate_exact, duedate_exact, status_name_fold, open_item,
    open_borrower, may_age, to_bill, past_return, itemeffectivelocationidatcheckout, status_name, returndate,
    systemreturndate, action, itemstatus, renewalcount, loanpolicyid, overduefinepolicyid, lostitempolicyid,
    checkoutservicepointid, checkinservicepointid, patrongroupidatcheckout, metadata_createddate, metadata_createdbyuserid,
    metadata_updateddate, metadata_updatedbyuserid, rest)
  SELECT (l.doc->>'id')::uuid, c.userid, c.proxyuserid, c.itemid, c.loandate_exact, c.duedate_exact, c.status_name_fold,
    c.open_item, c.open_borrower, c.may_age, c.to_bill, c.past_return, c.itemeffectivelocationidatcheckout, c.status_name,
    c.returndate, c.systemreturndate, c.action, c.itemstatus, c.renewalcount, c.loanpolicyid, c.overduefinepolicyid,
    c.lostitempolicyid, c.checkoutservicepointid, c.checkinservicepointid, c.patrongroupidatcheckout, c.metadata_createddate,
    c.metadata_createdbyuserid, c.metadata_updateddate, c.metadata_updatedbyuserid, c.rest
  FROM unnest(docs) WITH ORDINALITY AS l (doc, place), loan_columns(l.doc) c ORDER BY l.place;
  PERFORM count_loans('{}', docs);
  PERFORM keep_first_versions(docs);
  RETURN cardinality(docs);
END $$;

-- Adds those of the loans whose id and, if open, item are not taken; returns their number.
CREATE OR REPLACE FUNCTION add_missing_loans(docs jsonb[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN add_loans(ARRAY(
    SELECT new.doc FROM unnest(docs) WITH ORDINALITY AS new (doc, place), loan_columns(new.doc) c
    WHERE NOT EXISTS (SELECT FROM loan l WHERE l.id = (new.doc->>'id')::uuid)
      AND NOT EXISTS (SELECT FROM loan l WHERE l.open_item = c.open_item)
    ORDER BY new.place));
END $$;

-- Changes loans, each of which is named once; returns their number. With `befores`, only loans that are still those records are
-- changed.
CREATE OR REPLACE FUNCTION change_loans(docs jsonb[], befores jsonb[] DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb[];
  here jsonb[];
BEGIN
  SELECT array_agg(l.doc), array_agg(l.new_doc) INTO gone, here
  FROM (SELECT l.doc, new.doc AS new_doc, new.before
        FROM unnest(docs, befores) AS new (doc, before) JOIN loan l ON l.id = (new.doc->>'id')::uuid
        ORDER BY l.id FOR NO KEY UPDATE OF l) l
  WHERE befores IS NULL OR l.doc = l.before;
  IF gone IS NULL THEN
    RETURN 0;
  END IF;
  UPDATE loan l
  SET (userid, proxyuserid, itemid, loandate_exact, duedate_exact, status_name_fold, open_item, open_borrower, may_age,
    to_bill, past_return, itemeffectivelocationidatcheckout, status_name, returndate, systemreturndate, action, itemstatus,
    renewalcount, loanpolicyid, overduefinepolicyid, lostitempolicyid, checkoutservicepointid, checkinservicepointid,
    patrongroupidatcheckout, metadata_createddate, metadata_createdbyuserid, metadata_updateddate, metadata_updatedbyuserid,
    rest) = ROW (
    c.userid, c.proxyuserid, c.itemid, c.loandate_exact, c.duedate_exact, c.status_name_fold, c.open_item, c.open_borrower,
    c.may_age, c.to_bill, c.past_return, c.itemeffectivelocationidatcheckout, c.status_name, c.returndate, c.systemreturndate,
    c.action, c.itemstatus, c.renewalcount, c.loanpolicyid, c.overduefinepolicyid, c.lostitempolicyid,
    c.checkoutservicepointid, c.checkinservicepointid, c.patrongroupidatcheckout, c.metadata_createddate,
    c.metadata_createdbyuserid, c.metadata_updateddate, c.metadata_updatedbyuserid, c.rest)
  FROM unnest(here) AS new (doc), loan_columns(new.doc) c
  WHERE l.id = (new.doc->>'id')::uuid;
  PERFORM count_loans(gone, here);
  PERFORM keep_changes(gone, here);
  PERFORM log_loans(gone, here);
  RETURN cardinality(here);
END $$;

-- Removes loans; returns their number.
CREATE OR REPLACE FUNCTION remove_loans(ids uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb[];
BEGIN
  WITH removed AS (DELETE FROM loan l WHERE l.id = ANY (ids) RETURNING l.doc)
  SELECT coalesce(array_agg(r.doc), '{}') INTO gone FROM removed r;
  PERFORM count_loans(gone, '{}');
  -- The circulation log finds their history by it.
  INSERT INTO removed_loan (id, itemid, userid)
  SELECT (g.doc->>'id')::uuid, (g.doc->>'itemId')::uuid, (g.doc->>'userId')::uuid FROM unnest(gone) AS g (doc)
  ON CONFLICT (id) DO UPDATE SET itemid = excluded.itemid, userid = excluded.userid;
  -- As mod-circulation-storage's `auditingSnippet` says it.
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, replaced, loan)
  SELECT carrel.new_id(), (g.doc->>'id')::uuid, carrel.stored_moment(clock_timestamp()), 'D', replaced_members(g.doc, last.doc), last.doc
  FROM unnest(gone) WITH ORDINALITY AS g (doc, place),
    LATERAL (SELECT jsonb_set(g.doc, '{action}', '"deleted"', false) AS doc) last
  ORDER BY g.place;
  RETURN cardinality(gone);
END $$;

-- Changes a loan if it is still the version on which the decision was based. `stamp` says who changed it and when.
-- Statement: SELECT change_loan($1, $2, $3)
CREATE OR REPLACE FUNCTION change_loan(loan jsonb, before jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM replace_loans(
    ARRAY[loan || jsonb_build_object('metadata', coalesce(loan->'metadata', '{}') || stamp)], ARRAY[before]);
END $$;

-- Changes loans that must all still be the records in `befores`.
CREATE OR REPLACE FUNCTION replace_loans(docs jsonb[], befores jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_stale(change_loans(docs, befores) <> cardinality(docs));
END $$;

-- After loans were copied into the empty table.
CREATE OR REPLACE FUNCTION loans_copied() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patron_counters (user_id, open_loans, claimed_returned, lost_items)
  SELECT l.open_borrower, count(*), count(*) FILTER (WHERE l.itemstatus = 'Claimed returned'),
         count(*) FILTER (WHERE l.itemstatus IN ('Declared lost', 'Aged to lost'))
  FROM loan l WHERE l.open_borrower IS NOT NULL GROUP BY 1;
  INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, service_point)
  SELECT carrel.new_id(), l.id, carrel.stored_moment(clock_timestamp()), 'I', lending_of('I', l.doc),
         lending_place(lending_of('I', l.doc), l.doc)
  FROM (SELECT r.id, r.seq, r.doc FROM loan r OFFSET 0) l ORDER BY l.seq;
END $$;

-- Truncation: the history of the loans stays, as with mod-circulation-storage, and the log finds it.
CREATE OR REPLACE FUNCTION loans_are_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removed_loan (id, itemid, userid) SELECT l.id, l.itemid, l.userid FROM loan l
  ON CONFLICT (id) DO UPDATE SET itemid = excluded.itemid, userid = excluded.userid;
  UPDATE loan_history h SET loan = l.doc
  FROM loan l, LATERAL (SELECT max(v.seq) AS seq FROM loan_history v WHERE v.loan_id = l.id) last
  WHERE h.loan_id = l.id AND h.seq = last.seq AND h.loan IS NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER loans_are_emptied BEFORE TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION loans_are_emptied();

CREATE OR REPLACE FUNCTION loans_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patron_counters c SET open_loans = 0, claimed_returned = 0, lost_items = 0
  WHERE (c.open_loans, c.claimed_returned, c.lost_items) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER loans_emptied AFTER TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION loans_emptied();

-- Without their history, removed loans have no entries in the log.
CREATE OR REPLACE FUNCTION history_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM removed_loan;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER history_emptied AFTER TRUNCATE ON loan_history FOR EACH STATEMENT EXECUTE FUNCTION history_emptied();
