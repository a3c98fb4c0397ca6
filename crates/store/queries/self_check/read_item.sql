-- The data of an item for a self-check, in one row; no row if it does not exist. $1 its barcode.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  i.doc || i.state AS item,
  t.id AS title_id,
  t.doc->>'title' AS title,
  l.doc AS loan,
  (SELECT u.doc->>'barcode' FROM users u WHERE u.id = l.open_borrower) AS borrower,
  (SELECT q.requests FROM open_requests(i.id, t.id) q) AS requests
FROM item_record i
JOIN holdings_record h ON h.id = i.holdingsrecordid
JOIN instance t ON t.id = h.instanceid
LEFT JOIN loan l ON l.open_item = i.id
WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LIMIT 1
