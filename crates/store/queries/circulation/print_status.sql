-- How often slips of these requests were printed, and by whom last. $1 ids of requests.
SELECT coalesce(json_agg(json_build_object('requestId', last.request_id, 'count', last.times,
  'requesterId', last.requester_id, 'requesterName', last.requester_name, 'printEventDate', last.printed) ORDER BY last.request_id), '[]')::text
FROM (SELECT DISTINCT ON (request_id) request_id, requester_id, requester_name, printed,
        count(*) OVER (PARTITION BY request_id) AS times
      FROM print_event WHERE request_id = ANY($1) ORDER BY request_id, id DESC) last
