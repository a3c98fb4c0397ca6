-- All data for the decision on a check-in, in one row. $1 barcode of the item, $2 id of the operator.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  EXISTS (SELECT FROM event_interest) AS has_listeners,
  i.doc || s.state AS item,
  s.queue,
  t.doc AS instance,
  l.doc AS loan,
  u.doc AS borrower,
  lost.doc AS last_loan,
  (SELECT q.requests FROM open_requests(i.id, h.instanceid) q) AS requests,
  o.doc AS operator,
  CASE WHEN lost.id IS NOT NULL THEN lost_item_fees(coalesce(l.id, lost.id)) END AS lost_fees
FROM (SELECT 1) AS one
LEFT JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LEFT JOIN item_state s ON s.id = i.id
LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
LEFT JOIN instance t ON t.id = h.instanceid
LEFT JOIN loan l ON l.open_item = i.id
LEFT JOIN users u ON u.id = l.userid
LEFT JOIN users o ON o.id = $2
-- The last loan matters only for a lost item without an open loan.
LEFT JOIN LATERAL (
  SELECT past.id, past.doc FROM loan past
  WHERE past.itemid = i.id AND s.state#>>'{status,name}' IN ('Declared lost', 'Aged to lost', 'Lost and paid')
  ORDER BY past.doc->>'loanDate' DESC LIMIT 1) lost ON true
