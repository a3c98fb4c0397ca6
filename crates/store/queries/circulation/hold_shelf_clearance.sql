-- For each item on the hold shelf of service point $1 without an open request there: its last request, expired or
-- cancelled, in the form of the API.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT json_agg(json_build_object('request', r.doc,
     'version', (SELECT version FROM configuration_version),
     'item', i.doc || i.state,
     'instance', (SELECT t.doc FROM instance t WHERE t.id = r.instanceid),
     'requester', (SELECT u.doc FROM users u WHERE u.id = r.requesterid),
     'proxy', (SELECT u.doc FROM users u WHERE u.id = r.proxyuserid),
     'printer', (SELECT u.doc FROM users u WHERE u.id = (r.doc#>>'{printDetails,requesterId}')::uuid))
     ORDER BY r.doc->>'awaitingPickupRequestClosedDate' DESC)
   FROM item_uncommon_status s
   JOIN item_record i ON i.id = s.record_id
   CROSS JOIN LATERAL (
     SELECT last.* FROM request last
     WHERE last.itemid = i.id AND last.doc->>'status' IN ('Closed - Pickup expired', 'Closed - Cancelled')
       AND last.doc ? 'awaitingPickupRequestClosedDate'
     ORDER BY last.doc->>'awaitingPickupRequestClosedDate' DESC LIMIT 1) r
   WHERE s.name = 'Awaiting pickup' AND r.pickupservicepointid = $1::uuid
     AND NOT EXISTS (SELECT FROM request o
                     WHERE o.open_item = i.id AND o.doc->>'status' = 'Open - Awaiting pickup')) AS reported
