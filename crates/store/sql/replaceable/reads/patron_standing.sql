-- What automated patron blocks are decided by (docs/folio/patron-blocks.md).

-- Items on loan, lost and overdue, and debts. The cost does not depend on closed loans, and of the open ones only on
-- those past due. Items claimed returned and their fees do not count: they are the only reason to read single fees.
CREATE OR REPLACE FUNCTION patron_standing(patron uuid, now_as_stored text) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted patron_counters;
BEGIN
  SELECT * INTO counted FROM patron_counters WHERE user_id = patron;
  RETURN json_build_object(
    'openLoans', coalesce(counted.open_loans - counted.claimed_returned, 0),
    'claimedReturned', coalesce(counted.claimed_returned, 0),
    'lost', coalesce(counted.lost_items, 0),
    'pastDue', coalesce(
      (SELECT json_agg(json_build_object('dueDate', l.doc->'dueDate', 'loanPolicyId', l.doc->'loanPolicyId',
                                         'recall', coalesce((l.doc->>'dueDateChangedByRecall')::boolean, false)))
       FROM loan l
       WHERE l.open_borrower = patron AND (l.doc->>'dueDate') COLLATE "C" < now_as_stored
         AND l.doc->>'itemStatus' IS DISTINCT FROM 'Claimed returned'), '[]'),
    'feeBalance', CASE WHEN counted.claimed_returned > 0 THEN coalesce(
      (SELECT sum((a.doc->>'remaining')::numeric) FROM accounts a
       WHERE a.userid = patron AND a.doc#>>'{status,name}' = 'Open'
         AND NOT EXISTS (SELECT FROM loan l WHERE l.id = a.loanid AND l.open_borrower = patron
                           AND l.doc->>'itemStatus' = 'Claimed returned')), 0)
      ELSE coalesce(counted.fee_balance, 0) END);
END $$;
