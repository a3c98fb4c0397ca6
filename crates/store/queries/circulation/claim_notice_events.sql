-- At most $1 recorded events with all related data; one row for each loan of an ended session. One process handles
-- events at a time, so that two cannot schedule notices for the same loan.
WITH turn AS MATERIALIZED (
  SELECT true AS ours FROM (SELECT pg_advisory_xact_lock(hashtext('notice_event'), hashtext(current_schema()))) held),
claimed AS MATERIALIZED (
  SELECT e.id, e.doc FROM notice_event e WHERE (SELECT ours FROM turn) ORDER BY e.id LIMIT $1 FOR UPDATE SKIP LOCKED)
SELECT v.version AS configuration_version, c.id, c.doc AS event,
       notice_subject(coalesce(l.loan, c.doc->>'loanId')::uuid, (c.doc->>'requestId')::uuid,
                      (c.doc->>'feeFineActionId')::uuid) AS subject
FROM claimed c CROSS JOIN configuration_version v
  LEFT JOIN LATERAL jsonb_array_elements_text(c.doc->'loanIds') WITH ORDINALITY AS l(loan, place) ON true
ORDER BY c.id, l.place
