-- Ends the sessions of patrons at the desk (docs/folio/notices.md). In Rust: api/src/folio/circulation/sessions.rs.

-- Ends patrons' sessions, and records their check-outs and check-ins as events if a notice policy asks for them.
-- `ended` is a list of {patron, action}; no action means both.
CREATE OR REPLACE FUNCTION end_sessions(ended jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  noted jsonb;
BEGIN
  WITH gone AS (
    DELETE FROM patron_action_session s
    USING jsonb_to_recordset(ended) AS e (patron uuid, action text)
    WHERE s.patronid = e.patron AND (e.action IS NULL OR s.doc->>'actionType' = e.action)
    RETURNING s.patronid, s.doc->>'actionType' AS action, s.doc->'loanId' AS loan, s.seq),
  patrons AS (
    SELECT jsonb_build_object('event', CASE g.action WHEN 'Check-in' THEN 'Check in' ELSE 'Check out' END,
                              'loanIds', jsonb_agg(g.loan ORDER BY g.seq)) AS event
    FROM gone g GROUP BY g.patronid, g.action)
  SELECT jsonb_agg(event) INTO noted FROM patrons
  WHERE EXISTS (
    SELECT FROM patron_notice_policy p
    WHERE jsonb_path_exists(p.doc, '$.loanNotices[*].sendOptions.sendWhen ? (@ == "Check out" || @ == "Check in")'));
  PERFORM note_events(noted);
END $$;

-- Ends the sessions without action since `before` (in stored form); returns the number of patrons concerned.
CREATE OR REPLACE FUNCTION end_idle_sessions(before text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  idle jsonb;
BEGIN
  SELECT coalesce(jsonb_agg(jsonb_build_object('patron', i.patron, 'action', i.action)), '[]') INTO idle
  FROM (SELECT s.patronid AS patron, s.doc->>'actionType' AS action FROM patron_action_session s
        GROUP BY 1, 2 HAVING max(s.doc#>>'{metadata,createdDate}') < before) i;
  PERFORM end_sessions(idle);
  RETURN jsonb_array_length(idle);
END $$;
