-- Anonymizes loans that are due.
SELECT anonymized, kept, examined, last_date, last_id
  FROM anonymize_due_loans($1, $2, $3, $4, $5, $6)
