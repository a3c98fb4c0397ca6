-- Writes what became of notices.
SELECT settle_notices($1)
