-- Accounts with their payments, transfers and refunds, in order. $1 ids.
SELECT a.id, a.doc AS account,
  coalesce(
    (SELECT jsonb_agg(f.doc ORDER BY f.seq) FROM feefineactions f
     WHERE f.accountid = a.id AND f.doc->>'typeAction' IN (
       'Paid partially', 'Paid fully', 'Transferred partially', 'Transferred fully', 'Refunded partially',
       'Refunded fully')), '[]') AS movements
FROM accounts a
WHERE a.id = ANY($1)
