-- A record of a cost to be found out, its loan, and who decides. $1 the record, $2 who is at the desk or null.
SELECT r.doc AS record,
  (SELECT l.doc FROM loan l WHERE l.id = r.loan_id) AS loan,
  (SELECT u.doc FROM users u WHERE u.id = $2) AS operator
FROM actual_cost_record r
WHERE r.id = $1
