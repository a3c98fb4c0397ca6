-- What automated patron blocks are decided by (docs/folio/patron-blocks.md).

-- Items claimed returned and their fees do not count: they are the only reason to read single fees, and rare. In
-- PL/pgSQL, so that a statement that does not need it does not prepare it.
CREATE OR REPLACE FUNCTION fees_not_claimed(patron uuid) RETURNS numeric LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT sum((a.doc->>'remaining')::numeric) FROM accounts a
     WHERE a.userid = patron AND a.status_name_fold = 'open'
       AND NOT EXISTS (SELECT FROM loan l WHERE l.id = a.loanid AND l.open_borrower = patron
                         AND l.itemstatus = 'Claimed returned')), 0);
END $$;

-- Items on loan, lost and overdue, and debts. The cost does not depend on closed loans, and of the open ones only on
-- those past due. `is_counted`: whether the patron has counters, as everybody has who ever borrowed.
CREATE OR REPLACE FUNCTION patron_standing(patron uuid, now_as_stored text)
RETURNS TABLE (is_counted boolean, standing json) LANGUAGE sql STABLE AS $$
  SELECT c.user_id IS NOT NULL, json_build_object(
    'openLoans', coalesce(c.open_loans - c.claimed_returned, 0),
    'claimedReturned', coalesce(c.claimed_returned, 0),
    'lost', coalesce(c.lost_items, 0),
    'pastDue', ARRAY(
      SELECT json_build_object('dueDate', l.duedate_exact, 'loanPolicyId', coalesce(l.rest->>'loanPolicyId', l.loanpolicyid::text),
                               'recall', coalesce((l.rest->>'dueDateChangedByRecall')::boolean, false))
      FROM loan l
      WHERE l.open_borrower = patron AND l.duedate_exact < now_as_stored
        AND l.itemstatus IS DISTINCT FROM 'Claimed returned'),
    'feeBalance', CASE WHEN c.claimed_returned > 0 THEN fees_not_claimed(patron) ELSE coalesce(c.fee_balance, 0) END)
  FROM (SELECT patron AS id) p LEFT JOIN patron_counters c ON c.user_id = p.id
$$;
