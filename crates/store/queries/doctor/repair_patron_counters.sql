-- Counts all over again. Loans and accounts stand still meanwhile (for seconds), so that nothing is counted twice.
LOCK TABLE loan, accounts IN SHARE MODE;
UPDATE patron_counters SET open_loans = 0, claimed_returned = 0, lost_items = 0, fee_balance = 0
WHERE (open_loans, claimed_returned, lost_items, fee_balance) <> (0, 0, 0, 0);
INSERT INTO patron_counters (user_id, open_loans, claimed_returned, lost_items)
SELECT open_borrower, count(*), count(*) FILTER (WHERE doc->>'itemStatus' = 'Claimed returned'),
       count(*) FILTER (WHERE doc->>'itemStatus' IN ('Declared lost', 'Aged to lost'))
FROM loan WHERE open_borrower IS NOT NULL GROUP BY 1
ON CONFLICT (user_id) DO UPDATE SET open_loans = excluded.open_loans, claimed_returned = excluded.claimed_returned,
  lost_items = excluded.lost_items;
INSERT INTO patron_counters (user_id, fee_balance)
SELECT userid, sum(owed(doc)) FROM accounts WHERE userid IS NOT NULL GROUP BY 1
ON CONFLICT (user_id) DO UPDATE SET fee_balance = excluded.fee_balance;
