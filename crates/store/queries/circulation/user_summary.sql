-- A patron's open loans and open fees; no row if there are none. $1 patron.
SELECT json_build_object(
  'id', $1::uuid, 'userId', $1::uuid,
  'openLoans', coalesce(
    (SELECT json_agg(json_strip_nulls(json_build_object(
       'loanId', l.id, 'dueDate', l.doc->'dueDate',
       'recall', coalesce((l.doc->>'dueDateChangedByRecall')::boolean, false),
       'itemLost', l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost'),
       'itemClaimedReturned', coalesce(l.doc->>'itemStatus', '') = 'Claimed returned',
       'gracePeriod', p.doc#>'{loansPolicy,gracePeriod}')) ORDER BY l.seq)
     FROM (SELECT r.id, r.seq, r.open_borrower, r.doc FROM loan r WHERE r.open_borrower = $1::uuid OFFSET 0) l
     LEFT JOIN loan_policy p ON p.id = (l.doc->>'loanPolicyId')::uuid
     WHERE l.open_borrower = $1::uuid), '[]'),
  'openFeesFines', coalesce(
    (SELECT json_agg(json_strip_nulls(json_build_object(
       'feeFineId', a.id, 'feeFineTypeId', a.doc->'feeFineId', 'loanId', a.doc->'loanId',
       'balance', a.doc->'remaining')) ORDER BY a.seq)
     FROM accounts a WHERE a.userid = $1::uuid AND a.status_name_fold = 'open' AND owed(a.doc) <> 0), '[]'))::text
FROM patron_counters c WHERE c.user_id = $1::uuid AND (c.open_loans > 0 OR c.fee_balance <> 0)
