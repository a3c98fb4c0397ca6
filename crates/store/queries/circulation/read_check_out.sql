-- All data for the decision on a check-out, in one row. $1 barcode of the item, $2 of the patron, $3 of the proxy, $4
-- now in stored form. It starts with one row, not with that of a table without statistics, for which joins would be
-- planned for thousands.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  EXISTS (SELECT FROM event_interest) AS has_listeners,
  i.doc || s.state AS item,
  s.queue,
  t.doc AS instance,
  EXISTS (SELECT FROM loan l WHERE l.open_item = i.id) AS has_open_loan,
  p.doc AS patron,
  (SELECT json_agg(b.doc ORDER BY b.seq) FROM manualblocks b WHERE b.userid = p.id) AS manual_blocks,
  (SELECT of.standing FROM patron_standing(p.id, $4::text) of) AS standing,
  x.doc AS proxy,
  CASE WHEN x.id IS NOT NULL THEN
    (SELECT json_agg(f.doc) FROM proxyfor f WHERE f.userid = p.id AND f.proxyuserid = x.id)
  END AS proxy_relationships,
  (SELECT q.requests FROM open_requests(i.id, h.instanceid) q) AS requests,
  EXISTS (SELECT FROM check_out_lock k WHERE k.user_id = p.id AND k.expires > ($4::text)::timestamptz) AS locked
FROM (SELECT 1) AS one
LEFT JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LEFT JOIN item_state s ON s.id = i.id
LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
LEFT JOIN instance t ON t.id = h.instanceid
LEFT JOIN users p ON carrel.folded_key(p.doc->>'barcode') COLLATE "C" = carrel.folded_key($2)
LEFT JOIN users x ON carrel.folded_key(x.doc->>'barcode') COLLATE "C" = carrel.folded_key($3)
