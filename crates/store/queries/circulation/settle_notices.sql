-- Writes the outcome of notices.
SELECT settle_notices($1)
