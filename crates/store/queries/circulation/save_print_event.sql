-- Records that slips were printed and, on each request, how often and by whom last. The requests are locked in a fixed
-- order and the count is incremented in place, so that concurrent events are not lost. $1 ids of requests, $2 id of the
-- staff member, $3 their name, $4 time in stored form.
WITH held AS (
  SELECT r.id, r.doc FROM request r WHERE r.id = ANY($1::uuid[]) ORDER BY r.id FOR UPDATE),
printed AS (
  INSERT INTO print_event (request_id, requester_id, requester_name, printed)
  SELECT unnest($1::uuid[]), $2::uuid, $3::text, $4::text
  RETURNING request_id)
SELECT change_requests(ARRAY(
  SELECT held.doc || jsonb_build_object('printDetails', jsonb_build_object(
    'printCount', new.times + greatest((held.doc#>>'{printDetails,printCount}')::bigint,
                                       (SELECT count(*) FROM print_event e WHERE e.request_id = held.id)),
    'requesterId', $2::uuid, 'isPrinted', true, 'printEventDate', $4::text))
  FROM held JOIN (SELECT p.request_id AS id, count(*) AS times FROM printed p GROUP BY p.request_id) new USING (id)))
