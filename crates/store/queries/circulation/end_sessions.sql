-- Deletes the session records of patrons. $1 a list of {patron, action}; no action means both.
DELETE FROM patron_action_session s
USING jsonb_to_recordset($1) AS ended (patron uuid, action text)
WHERE s.patronid = ended.patron AND (ended.action IS NULL OR s.doc->>'actionType' = ended.action)
