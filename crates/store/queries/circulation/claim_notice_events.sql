-- What has happened, at most $1 of it, with everything it is about; one row for each loan of a session that has ended. One
-- process deals with it at a time, so that plans for one loan do not meet.
WITH turn AS MATERIALIZED (
  SELECT true AS ours FROM (SELECT pg_advisory_xact_lock(hashtext('notice_event'), hashtext(current_schema()))) held),
claimed AS MATERIALIZED (
  SELECT e.id, e.doc FROM notice_event e WHERE (SELECT ours FROM turn) ORDER BY e.id LIMIT $1 FOR UPDATE SKIP LOCKED)
SELECT v.version, c.id, c.doc,
       notice_subject(coalesce(l.loan, c.doc->>'loanId')::uuid, (c.doc->>'requestId')::uuid,
                      (c.doc->>'feeFineActionId')::uuid)
FROM claimed c CROSS JOIN configuration_version v
  LEFT JOIN LATERAL jsonb_array_elements_text(c.doc->'loanIds') WITH ORDINALITY AS l(loan, place) ON true
ORDER BY c.id, l.place
