-- Takes the borrower out of closed loans and out of their history. $1 ids of loans.
WITH closed AS (
  UPDATE loan SET doc = doc - 'userId' - 'proxyUserId'
  WHERE id = ANY($1) AND doc#>>'{status,name}' = 'Closed' AND doc ? 'userId'
  RETURNING id),
history AS (
  UPDATE loan_history SET doc = doc #- '{loan,userId}' #- '{loan,proxyUserId}'
  WHERE loan_id IN (SELECT id FROM closed)
  RETURNING 1)
SELECT coalesce(array_agg(id), '{}') FROM closed
