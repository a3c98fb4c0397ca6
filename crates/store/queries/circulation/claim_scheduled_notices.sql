-- At most $4 scheduled notices due before $1 (in stored form), about the events $2, in real time or not ($3), with all
-- related data; with $5, notices of one bundle are adjacent. Only those after the time $6 and the number $7, at which an earlier
-- batch ended. Skips notices that wait for an open request or a patron's session to end.
WITH claimed AS MATERIALIZED (
  SELECT n.id, n.doc, n.seq FROM scheduled_notice n
  WHERE (n.doc->>'nextRunTime') COLLATE "C" <= $1
    AND ((n.doc->>'nextRunTime') COLLATE "C", n.seq) > ($6::text, $7::bigint)
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
SELECT v.version AS configuration_version, c.id, c.seq, c.doc AS notice,
       notice_subject((c.doc->>'loanId')::uuid, (c.doc->>'requestId')::uuid, (c.doc->>'feeFineActionId')::uuid) AS subject
FROM claimed c CROSS JOIN configuration_version v
ORDER BY CASE WHEN $5 THEN concat_ws('|', c.doc->>'recipientUserId', c.doc#>>'{noticeConfig,templateId}',
           c.doc->>'triggeringEvent', c.doc#>>'{noticeConfig,format}', c.doc#>>'{noticeConfig,timing}',
           c.doc->>'sessionId') END,
         c.doc->>'nextRunTime', c.seq
