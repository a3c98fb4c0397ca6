-- Writes a changed loan.
SELECT change_loan($1, $2, $3)
