-- Patrons whose counters disagree with the loans and accounts: stored and recounted values.
WITH loans AS (
  SELECT open_borrower AS user_id, count(*) AS open_loans,
         count(*) FILTER (WHERE itemstatus = 'Claimed returned') AS claimed_returned,
         count(*) FILTER (WHERE itemstatus IN ('Declared lost', 'Aged to lost')) AS lost_items
  FROM loan WHERE open_borrower IS NOT NULL GROUP BY 1
), fees AS (
  SELECT userid AS user_id, sum(owed(doc)) AS fee_balance
  FROM accounts WHERE userid IS NOT NULL GROUP BY 1
), counted AS (
  SELECT coalesce(l.user_id, f.user_id) AS user_id, coalesce(l.open_loans, 0) AS open_loans,
         coalesce(l.claimed_returned, 0) AS claimed_returned, coalesce(l.lost_items, 0) AS lost_items,
         coalesce(f.fee_balance, 0) AS fee_balance
  FROM loans l FULL JOIN fees f ON f.user_id = l.user_id
)
SELECT coalesce(k.user_id, c.user_id) AS user_id,
       coalesce(k.open_loans, 0)::bigint AS kept_open_loans, coalesce(c.open_loans, 0)::bigint AS open_loans,
       coalesce(k.claimed_returned, 0)::bigint AS kept_claimed_returned,
       coalesce(c.claimed_returned, 0)::bigint AS claimed_returned,
       coalesce(k.lost_items, 0)::bigint AS kept_lost_items, coalesce(c.lost_items, 0)::bigint AS lost_items,
       trim_scale(coalesce(k.fee_balance, 0))::text AS kept_fee_balance,
       trim_scale(coalesce(c.fee_balance, 0))::text AS fee_balance
FROM patron_counters k FULL JOIN counted c ON c.user_id = k.user_id
WHERE (coalesce(k.open_loans, 0), coalesce(k.claimed_returned, 0), coalesce(k.lost_items, 0), coalesce(k.fee_balance, 0))
      <> (coalesce(c.open_loans, 0), coalesce(c.claimed_returned, 0), coalesce(c.lost_items, 0), coalesce(c.fee_balance, 0))
ORDER BY 1
