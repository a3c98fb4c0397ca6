-- All data for the decision on a check-in, in one row. $1 barcode of the item, $2 id of the operator.
WITH found_item AS (
  SELECT i.id, i.doc || i.state AS record, i.state#>>'{status,name}' AS status, h.instanceid
  FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
  LIMIT 1),
open_loan AS (
  SELECT l.id, l.doc, l.userid FROM loan l JOIN found_item i ON l.open_item = i.id),
-- The last loan matters only for a lost item without an open loan.
last_loan AS (
  SELECT l.id, l.doc FROM found_item i JOIN loan l ON l.itemid = i.id
  WHERE i.status IN ('Declared lost', 'Aged to lost', 'Lost and paid')
  ORDER BY l.doc->>'loanDate' DESC LIMIT 1)
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT record FROM found_item) AS item,
  (SELECT t.doc FROM instance t JOIN found_item i ON t.id = i.instanceid) AS instance,
  (SELECT doc FROM open_loan) AS loan,
  (SELECT u.doc FROM users u JOIN open_loan l ON u.id = l.userid) AS borrower,
  (SELECT doc FROM last_loan) AS last_loan,
  (SELECT open_requests(i.id, i.instanceid) FROM found_item i) AS requests,
  (SELECT u.doc FROM users u WHERE u.id = $2) AS operator,
  (SELECT lost_item_fees(coalesce((SELECT o.id FROM open_loan o), l.id)) FROM last_loan l) AS lost_fees
