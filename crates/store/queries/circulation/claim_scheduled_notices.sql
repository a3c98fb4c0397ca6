-- Scheduled notices that are due before $1 (a date as stored), about the events $2, in real time or not ($3), at most $4 of
-- them, with everything they are about; those of one bundle stand together when $5. Left out are those that wait
-- for the end of a request that is still open, and of a session at the desk.
WITH claimed AS MATERIALIZED (
  SELECT n.id, n.doc, n.seq FROM scheduled_notice n
  WHERE (n.doc->>'nextRunTime') COLLATE "C" <= $1
    AND n.doc->>'triggeringEvent' = ANY ($2::text[])
    AND coalesce((n.doc#>>'{noticeConfig,sendInRealTime}')::boolean, false) = $3
    AND NOT EXISTS (
      SELECT FROM request r
      WHERE r.id = n.requestid AND n.doc#>>'{noticeConfig,timing}' = 'Upon At' AND r.doc->>'status' LIKE 'Open%'
        AND NOT (n.doc->>'triggeringEvent' = 'Hold expiration' AND r.doc->>'status' = 'Open - Not yet filled'))
    AND NOT EXISTS (SELECT FROM patron_action_session s WHERE s.doc->>'sessionId' = n.doc->>'sessionId')
  ORDER BY CASE WHEN $5 THEN concat_ws('|', n.doc->>'recipientUserId', n.doc#>>'{noticeConfig,templateId}',
             n.doc->>'triggeringEvent', n.doc#>>'{noticeConfig,format}', n.doc#>>'{noticeConfig,timing}',
             n.doc->>'sessionId') END,
           (n.doc->>'nextRunTime') COLLATE "C", n.seq
  LIMIT $4 FOR UPDATE SKIP LOCKED)
SELECT v.version, c.id, c.doc,
       notice_subject((c.doc->>'loanId')::uuid, (c.doc->>'requestId')::uuid, (c.doc->>'feeFineActionId')::uuid)
FROM claimed c CROSS JOIN configuration_version v
ORDER BY CASE WHEN $5 THEN concat_ws('|', c.doc->>'recipientUserId', c.doc#>>'{noticeConfig,templateId}',
           c.doc->>'triggeringEvent', c.doc#>>'{noticeConfig,format}', c.doc#>>'{noticeConfig,timing}',
           c.doc->>'sessionId') END,
         c.doc->>'nextRunTime', c.seq
