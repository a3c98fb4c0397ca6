-- Loans of aged-to-lost items due for billing, with all data for the decision, in order. $1 now in stored form, $2 and
-- $3 the date and id after which to continue, $4 maximum number.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  l.to_bill AS date,
  l.id,
  l.doc AS loan,
  i.doc || i.state AS item,
  t.doc AS instance,
  u.doc AS borrower,
  coalesce(i.doc->>'permanentLocationId', h.doc->>'permanentLocationId')::uuid AS permanent_location
FROM loan l
  JOIN item_record i ON i.id = l.open_item
  JOIN holdings_record h ON h.id = i.holdingsrecordid
  JOIN instance t ON t.id = h.instanceid
  LEFT JOIN users u ON u.id = l.open_borrower
WHERE l.to_bill <= $1::text AND (l.to_bill, l.id) > ($2::text, $3::uuid)
  AND l.itemstatus = 'Aged to lost'
  AND i.state#>>'{status,name}' = 'Aged to lost'
ORDER BY l.to_bill, l.id
LIMIT $4
