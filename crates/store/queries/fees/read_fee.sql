-- The records behind a fee. $1 the account.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  a.doc AS account,
  (SELECT l.doc FROM loan l WHERE l.id = a.loanid) AS loan,
  (SELECT i.doc || i.state FROM item_record i WHERE i.id = (a.doc->>'itemId')::uuid) AS item,
  (SELECT u.doc FROM users u WHERE u.id = a.userid) AS borrower
FROM accounts a WHERE a.id = $1
