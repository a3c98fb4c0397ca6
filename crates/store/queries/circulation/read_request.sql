-- All data for the decision on a request, in one row. The stored request supplies null parameters. $1 the stored
-- request, $2 the item, $3 the title, $4 the requester, $5 the proxy, $6 now in stored form, $7 when to read the items
-- of the title: `always`, for a `new` request, for a request for a `stored title`, `never`.
WITH existing AS (
  SELECT r.doc AS record, r.itemid, r.instanceid, r.requesterid, r.proxyuserid FROM request r WHERE r.id = $1),
found_item AS (
  SELECT i.id, i.doc || i.state AS record, h.instanceid
  FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid
  WHERE i.id = coalesce($2::uuid, (SELECT itemid FROM existing))),
title AS (
  SELECT coalesce($3::uuid, (SELECT instanceid FROM existing), (SELECT instanceid FROM found_item)) AS id),
person AS (
  SELECT u.id, u.doc AS record FROM users u
  WHERE u.id = coalesce($4::uuid, (SELECT requesterid FROM existing))),
proxy AS (
  SELECT u.id, u.doc AS record FROM users u
  WHERE u.id = coalesce($5::uuid, (SELECT proxyuserid FROM existing)))
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT record FROM existing) AS existing,
  (SELECT record FROM found_item) AS item,
  (SELECT instanceid FROM found_item) AS item_title,
  (SELECT i.doc || i.state FROM item_record i JOIN existing e ON i.id = e.itemid) AS source,
  (SELECT t.doc FROM instance t JOIN title ON t.id = title.id) AS title,
  (SELECT l.doc FROM loan l JOIN found_item i ON l.open_item = i.id) AS loan,
  (SELECT record FROM person) AS requester,
  (SELECT json_agg(b.doc ORDER BY b.seq) FROM manualblocks b JOIN person p ON b.userid = p.id) AS manual_blocks,
  (SELECT s.standing FROM person p, patron_standing(p.id, $6::text) s) AS standing,
  (SELECT record FROM proxy) AS proxy,
  (SELECT json_agg(f.doc) FROM proxyfor f, person p, proxy x
   WHERE f.userid = p.id AND f.proxyuserid = x.id) AS proxy_relationships,
  (SELECT q.requests FROM open_requests(coalesce($2::uuid, (SELECT itemid FROM existing)), (SELECT id FROM title)) q) AS requests,
  (SELECT json_agg(json_build_object('item', i.doc || i.state, 'loan', l.doc, 'borrower', u.doc) ORDER BY h.seq, i.seq)
   FROM holdings_record h JOIN item_record i ON i.holdingsrecordid = h.id LEFT JOIN loan l ON l.open_item = i.id
   LEFT JOIN users u ON u.id = l.open_borrower
   WHERE CASE $7::text WHEN 'always' THEN true
           WHEN 'new' THEN NOT EXISTS (SELECT FROM existing)
           WHEN 'stored title' THEN (SELECT record->>'requestLevel' FROM existing) = 'Title'
           ELSE false END
     AND h.instanceid = (SELECT id FROM title)) AS copies,
  (SELECT l.doc FROM person p JOIN loan l ON l.open_borrower = p.id JOIN item i ON i.id = l.open_item
   JOIN holdings_record h ON h.id = i.holdingsrecordid
   WHERE h.instanceid = (SELECT id FROM title) ORDER BY l.seq LIMIT 1) AS own_loan,
  coalesce($2::uuid, (SELECT itemid FROM existing)) AS queue_of_item,
  (SELECT id FROM title) AS queue_of_title,
  (SELECT u.doc FROM loan l JOIN found_item i ON l.open_item = i.id JOIN users u ON u.id = l.open_borrower) AS borrower,
  EXISTS (SELECT FROM holdings_record h WHERE h.instanceid = (SELECT id FROM title)) AS has_holdings
