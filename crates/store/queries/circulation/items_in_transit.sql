-- All items in transit, with title, last loan, and first open request.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT json_agg(json_build_object('item', i.doc || i.state, 'instance', t.doc, 'loan', l.doc,
                                     'request', r.doc, 'requester', u.doc))
   FROM item_uncommon_status s
   JOIN item_record i ON i.id = s.record_id
   JOIN holdings_record h ON h.id = i.holdingsrecordid
   JOIN instance t ON t.id = h.instanceid
   LEFT JOIN LATERAL (SELECT last.doc FROM loan last WHERE last.itemid = i.id
                      ORDER BY last.loandate_exact DESC LIMIT 1) l ON true
   LEFT JOIN LATERAL (SELECT first.doc, first.requesterid FROM request first WHERE first.open_item = i.id
                      ORDER BY first.queue_position LIMIT 1) r ON true
   LEFT JOIN users u ON u.id = r.requesterid
   WHERE s.name = 'In transit') AS reported
