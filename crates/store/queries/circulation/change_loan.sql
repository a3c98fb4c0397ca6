-- Writes a loan that changed.
SELECT change_loan($1, $2, $3)
