-- Anonymizes requests that are due.
SELECT anonymize_due_requests($1, $2, $3, $4)
