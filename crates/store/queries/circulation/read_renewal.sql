-- All data for the decision on a renewal, in one row. $1 barcode of the item or null, $2 its id or null, $3 now in
-- stored form, $4 id of the operator or null.
WITH wanted AS (
  (SELECT i.id FROM item_record i WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1) LIMIT 1)
  UNION ALL
  SELECT $2::uuid WHERE $2::uuid IS NOT NULL),
found_item AS (
  SELECT i.id, i.doc || i.state AS record, i.state#>>'{status,name}' AS status, h.instanceid
  FROM item_record i JOIN wanted w ON i.id = w.id JOIN holdings_record h ON h.id = i.holdingsrecordid),
open_loan AS (
  SELECT l.id, l.doc, l.open_borrower FROM loan l JOIN found_item i ON l.open_item = i.id)
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT record FROM found_item) AS item,
  (SELECT t.doc FROM instance t JOIN found_item i ON t.id = i.instanceid) AS instance,
  (SELECT doc FROM open_loan) AS loan,
  (SELECT u.doc FROM users u JOIN open_loan l ON u.id = l.open_borrower) AS borrower,
  (SELECT json_agg(b.doc ORDER BY b.seq) FROM manualblocks b JOIN open_loan l ON b.userid = l.open_borrower)
    AS manual_blocks,
  (SELECT s.standing FROM open_loan l, patron_standing(l.open_borrower, $3::text) s) AS standing,
  (SELECT q.requests FROM found_item i, open_requests(i.id, i.instanceid) q) AS requests,
  (SELECT u.doc FROM users u WHERE u.id = $4) AS operator,
  (SELECT lost_item_fees(l.id) FROM open_loan l JOIN found_item i ON i.status IN ('Declared lost', 'Aged to lost'))
    AS lost_fees
