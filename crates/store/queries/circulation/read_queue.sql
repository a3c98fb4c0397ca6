-- The queue of an item ($1) or a title ($2) with everything the API shows of its requests, by position.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT json_agg(json_build_object('request', r.doc,
     'version', (SELECT version FROM configuration_version),
     'item', (SELECT i.doc || i.state FROM item_record i WHERE i.id = r.itemid),
     'instance', (SELECT t.doc FROM instance t WHERE t.id = r.instanceid),
     'dueDate', (SELECT l.doc->>'dueDate' FROM loan l WHERE l.open_item = r.itemid),
     'requester', (SELECT u.doc FROM users u WHERE u.id = r.requesterid),
     'proxy', (SELECT u.doc FROM users u WHERE u.id = r.proxyuserid),
     'printer', (SELECT u.doc FROM users u WHERE u.id = (r.doc#>>'{printDetails,requesterId}')::uuid)) ORDER BY r.queue_position)
   FROM request r WHERE r.open_item = $1::uuid OR r.open_title = $2::uuid) AS requests
