-- All data for the decision on a check-in, in one row. $1 barcode of the item, $2 id of the operator.
SELECT
  v.version AS configuration_version,
  i.doc AS item,
  s.state AS item_state,
  s.xmin::text AS item_row,
  t.doc AS instance,
  l.doc AS loan,
  l.xmin::text AS loan_row,
  NOT coalesce(l.rest ?| '{status,action,actionComment,itemStatus,returnDate,systemReturnDate,checkinServicePointId,forUseAtLocation,metadata}',
               false) AS loan_is_usual,
  u.doc AS borrower,
  (SELECT q.requests FROM open_requests(i.id, h.instanceid) q) AS requests,
  o.doc AS operator,
  CASE WHEN s.state#>>'{status,name}' IN ('Declared lost', 'Aged to lost', 'Lost and paid') THEN lost_item(i.id, l.id)
  END AS lost
FROM (SELECT c.version FROM configuration_version c LIMIT 1) v
LEFT JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LEFT JOIN item_state s ON s.id = i.id
LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
LEFT JOIN instance t ON t.id = h.instanceid
LEFT JOIN loan l ON l.open_item = i.id
LEFT JOIN users u ON u.id = l.userid
LEFT JOIN users o ON o.id = $2
