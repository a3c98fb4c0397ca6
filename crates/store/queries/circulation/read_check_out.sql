-- All data for the decision on a check-out, in one row. $1 barcode of the item, $2 of the patron, $3 of the proxy, $4
-- now in stored form. It starts with one row, not with those of a table without statistics, for which joins would be
-- planned for thousands, and has no EXISTS, for which PostgreSQL may read a table once instead of looking in its index. What few
-- check-outs need is read by functions in PL/pgSQL: a statement prepares all that it may read itself each time it runs.
SELECT
  v.version AS configuration_version,
  i.doc AS item,
  s.state AS item_state,
  s.xmin::text AS item_row,
  t.doc AS instance,
  (SELECT l.id FROM loan l WHERE l.open_item = i.id) IS NOT NULL AS has_open_loan,
  p.doc AS patron,
  to_json(ARRAY(SELECT b.doc FROM manualblocks b WHERE b.userid = p.id ORDER BY b.seq)) AS manual_blocks,
  of.is_counted,
  of.standing,
  CASE WHEN $3::text IS NOT NULL THEN proxy_of(p.id, $3::text) END AS proxy,
  (SELECT q.requests FROM open_requests(i.id, h.instanceid) q) AS requests
FROM (SELECT c.version FROM configuration_version c LIMIT 1) v
LEFT JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($1)
LEFT JOIN item_state s ON s.id = i.id
LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
LEFT JOIN instance t ON t.id = h.instanceid
LEFT JOIN users p ON carrel.folded_key(p.doc->>'barcode') COLLATE "C" = carrel.folded_key($2)
LEFT JOIN LATERAL patron_standing(p.id, $4::text) of ON true
