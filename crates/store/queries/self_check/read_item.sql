-- An item as a self-check asks about one, in one row; none when there is none. $1 its barcode.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  i.doc || i.state AS item,
  t.id AS title_id,
  t.doc->>'title' AS title,
  l.doc AS loan,
  (SELECT u.doc->>'barcode' FROM users u WHERE u.id = l.open_borrower) AS borrower,
  open_requests(i.id, t.id) AS requests
FROM item i
JOIN holdings_record h ON h.id = i.holdingsrecordid
JOIN instance t ON t.id = h.instanceid
LEFT JOIN loan l ON l.open_item = i.id
WHERE (left(lower(i.doc->>'barcode'), 600) COLLATE "C") = lower($1::text)
LIMIT 1
