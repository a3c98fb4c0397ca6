-- The borrower's closed loans, at most 5,000, and whether they have fees or fines.
SELECT l.id, EXISTS (SELECT FROM accounts a WHERE a.loanid = l.id) AS has_fees
FROM loan l
WHERE l.userid = $1 AND l.status_name = 'Closed'
ORDER BY l.id LIMIT 5000
