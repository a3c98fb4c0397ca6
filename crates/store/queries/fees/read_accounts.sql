-- Accounts, each with what was paid, transferred and refunded, in the order it was. $1 ids.
SELECT a.id, a.doc,
  coalesce(
    (SELECT jsonb_agg(f.doc ORDER BY f.seq) FROM feefineactions f
     WHERE f.accountid = a.id AND f.doc->>'typeAction' IN (
       'Paid partially', 'Paid fully', 'Transferred partially', 'Transferred fully', 'Refunded partially',
       'Refunded fully')), '[]') AS movements
FROM accounts a
WHERE a.id = ANY($1)
