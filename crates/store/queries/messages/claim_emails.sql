-- The mail server, and e-mails due at $1: those in $4 or, if it is null, the oldest $3. They belong to the caller until
-- $2.
WITH claimed AS (
  UPDATE email_statistics e SET next_attempt = $2
  WHERE e.id IN (
    SELECT d.id FROM email_statistics d
    WHERE d.next_attempt <= $1 AND ($4::uuid IS NULL OR d.id = $4)
    ORDER BY d.next_attempt, d.seq LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING e.doc, e.seq)
SELECT (SELECT doc FROM smtp_configuration LIMIT 1) AS configuration,
  coalesce((SELECT jsonb_agg(doc ORDER BY seq) FROM claimed), '[]') AS emails
