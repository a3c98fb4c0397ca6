-- The oldest open request of a patron for an item or a title. $1 patron, $2 item, $3 title.
SELECT r.doc FROM request r
WHERE r.requesterid = $1 AND r.doc->>'status' LIKE 'Open%' AND (r.itemid = $2 OR r.instanceid = $3)
ORDER BY (r.itemid = $2) DESC NULLS LAST, r.seq LIMIT 1
