-- All data for the decision on a check-in, in one row. $1 barcode of the item, $2 id of the operator, $3 date of the check-in in
-- stored form. The loan comes as its columns (decision 96), the operator only where fees may name one: the loan is overdue, or the
-- item is lost.
SELECT
  v.version AS configuration_version,
  i.doc AS item,
  s.state AS item_state,
  s.xmin::text AS item_row,
  t.doc AS instance,
  l.xmin::text AS loan_row,
  l.id, l.rest, l.userid, l.proxyuserid, l.itemid, l.itemeffectivelocationidatcheckout, l.status_name, l.loandate_exact,
  l.duedate_exact, l.returndate, l.systemreturndate, l.action, l.itemstatus, l.renewalcount, l.loanpolicyid, l.overduefinepolicyid,
  l.lostitempolicyid, l.checkoutservicepointid, l.checkinservicepointid, l.patrongroupidatcheckout, l.metadata_createddate,
  l.metadata_createdbyuserid, l.metadata_updateddate, l.metadata_updatedbyuserid,
  u.doc AS borrower,
  (SELECT q.requests FROM open_requests(i.id, h.instanceid) q) AS requests,
  CASE WHEN l.duedate_exact < $3::text OR s.state#>>'{status,name}' IN ('Declared lost', 'Aged to lost', 'Lost and paid')
    THEN user_of($2::uuid) END AS operator,
  CASE WHEN s.state#>>'{status,name}' IN ('Declared lost', 'Aged to lost', 'Lost and paid') THEN lost_item(i.id, l.id)
  END AS lost
FROM (SELECT c.version FROM configuration_version c LIMIT 1) v
LEFT JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LEFT JOIN item_state s ON s.id = i.id
LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
LEFT JOIN instance t ON t.id = h.instanceid
LEFT JOIN loan l ON l.open_item = i.id
LEFT JOIN users u ON u.id = l.userid
