-- An actual cost record, its loan, and the staff member. $1 the record, $2 id of the operator or null.
SELECT r.doc AS record,
  (SELECT l.doc FROM loan l WHERE l.id = r.loan_id) AS loan,
  (SELECT u.doc FROM users u WHERE u.id = $2) AS operator
FROM actual_cost_record r
WHERE r.id = $1
