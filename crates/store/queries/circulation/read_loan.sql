-- All data for creating or changing a loan record. $1 the loan or null, $2 its item, $3 its borrower, $4 the proxy, $5
-- id of the operator or null; the stored loan supplies null parameters.
WITH found_loan AS (
  SELECT l.id, l.doc, l.itemid, l.userid FROM loan l WHERE l.id = $1::uuid),
found_item AS (
  SELECT i.id, i.doc || i.state AS record, h.instanceid,
         coalesce(i.doc->>'permanentLocationId', h.doc->>'permanentLocationId')::uuid AS permanent_location
  FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE i.id = coalesce($2::uuid, (SELECT itemid FROM found_loan))),
found_patron AS (
  SELECT u.id, u.doc FROM users u WHERE u.id = coalesce($3::uuid, (SELECT userid FROM found_loan)))
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT doc FROM found_loan) AS loan,
  (SELECT record FROM found_item) AS item,
  (SELECT t.doc FROM instance t JOIN found_item i ON t.id = i.instanceid) AS instance,
  (SELECT doc FROM found_patron) AS patron,
  (SELECT json_agg(f.doc) FROM proxyfor f JOIN found_patron p ON f.userid = p.id
   WHERE f.proxyuserid = $4::uuid) AS proxy_relationships,
  (SELECT q.requests FROM found_item i, open_requests(i.id, i.instanceid) q) AS requests,
  (SELECT permanent_location FROM found_item) AS permanent_location,
  (SELECT t.id FROM note_type t WHERE t.doc->>'name' = 'General note' ORDER BY t.id LIMIT 1) AS general_note_type,
  (SELECT u.doc FROM users u WHERE u.id = $5::uuid) AS operator,
  (SELECT lost_item_fees(l.id) FROM found_loan l) AS lost_fees
