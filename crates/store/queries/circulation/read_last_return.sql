-- What an explanation of a return tells beside the records that decide it. $1 item, $2 its open loan, if any.
SELECT
  (SELECT json_build_object('loan', h.doc->'loan', 'by', u.doc)
   FROM loan_history_record h LEFT JOIN users u ON u.id = (h.doc#>>'{loan,metadata,updatedByUserId}')::uuid
   WHERE h.loan_id = $2 AND h.doc#>>'{loan,action}' = 'claimedReturned'
   ORDER BY h.createddate_exact DESC, h.id DESC LIMIT 1) AS claim,
  (SELECT json_build_object(
     'statusBefore', c.doc->'itemStatusPriorToCheckIn', 'hadLoan', c.closed_loan IS NOT NULL,
     'lastLoan', (SELECT l.doc FROM loan l WHERE l.itemid = $1 ORDER BY l.loandate_exact DESC LIMIT 1))
   FROM check_in c WHERE c.itemid = $1 ORDER BY c.doc->>'occurredDateTime' DESC, c.seq DESC LIMIT 1) AS last_return
