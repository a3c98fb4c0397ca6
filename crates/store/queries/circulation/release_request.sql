-- Returns the request being filled with an item to the queue, unless its hold shelf date has passed. $1 item, $2 now in
-- stored form.
SELECT change_requests(ARRAY(
  SELECT r.doc || '{"status": "Open - Not yet filled"}' FROM request r
  WHERE r.open_item = $1
    AND r.doc->>'status' IN ('Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
    AND coalesce(r.doc->>'holdShelfExpirationDate', $2) >= $2
  ORDER BY r.id FOR NO KEY UPDATE))
