-- Writes a loan whose item does not come back.
SELECT write_lost($1, $2, $3, $4, $5, $6, $7, $8)
