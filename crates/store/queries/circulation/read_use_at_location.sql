-- All data for holding or picking up an item for use at location, in one row. $1 its barcode.
WITH found_item AS (
  SELECT i.id, i.doc || i.state AS record, h.instanceid
  FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
  LIMIT 1),
open_loan AS (
  SELECT l.doc, l.open_borrower FROM loan l JOIN found_item i ON l.open_item = i.id)
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT record FROM found_item) AS item,
  (SELECT t.doc FROM instance t JOIN found_item i ON t.id = i.instanceid) AS instance,
  (SELECT doc FROM open_loan) AS loan,
  (SELECT u.doc FROM users u JOIN open_loan l ON u.id = l.open_borrower) AS borrower
