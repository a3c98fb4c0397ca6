-- All data for the decision on a check-out, in one row. $1 barcode of the item, $2 of the patron, $3 of the proxy, $4
-- now in stored form.
WITH found_item AS (
  SELECT i.id, i.doc || i.state AS record, h.instanceid
  FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
  LIMIT 1),
found_patron AS (
  SELECT u.id, u.doc AS record FROM users u
  WHERE carrel.folded_key(u.doc->>'barcode') COLLATE "C" = carrel.folded_key($2)
  LIMIT 1),
found_proxy AS (
  SELECT u.id, u.doc AS record FROM users u
  WHERE carrel.folded_key(u.doc->>'barcode') COLLATE "C" = carrel.folded_key($3)
  LIMIT 1)
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT record FROM found_item) AS item,
  (SELECT t.doc FROM instance t JOIN found_item i ON t.id = i.instanceid) AS instance,
  EXISTS (SELECT FROM loan l JOIN found_item i ON l.open_item = i.id) AS has_open_loan,
  (SELECT record FROM found_patron) AS patron,
  (SELECT json_agg(b.doc ORDER BY b.seq) FROM manualblocks b JOIN found_patron p ON b.userid = p.id) AS manual_blocks,
  (SELECT patron_standing(p.id, $4::text) FROM found_patron p) AS standing,
  (SELECT record FROM found_proxy) AS proxy,
  (SELECT json_agg(f.doc) FROM proxyfor f, found_patron p, found_proxy x
   WHERE f.userid = p.id AND f.proxyuserid = x.id) AS proxy_relationships,
  (SELECT open_requests(i.id, i.instanceid) FROM found_item i) AS requests,
  EXISTS (SELECT FROM check_out_lock k JOIN found_patron p ON k.user_id = p.id
          WHERE k.expires > ($4::text)::timestamptz) AS locked,
  coalesce((SELECT c.open_loans FROM patron_counters c JOIN found_patron p ON c.user_id = p.id), 0) AS open_loans
