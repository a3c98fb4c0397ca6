-- Adds an e-mail.
INSERT INTO email_statistics (id, doc, next_attempt)
SELECT id, doc, CASE WHEN doc->>'status' = 'PROCESSING' THEN $3::timestamptz END
FROM unnest($1::uuid[], $2::jsonb[]) AS entered (id, doc)
