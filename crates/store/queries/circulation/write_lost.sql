-- Writes a loan whose item is lost.
SELECT write_lost($1, $2, $3, $4, $5, $6, $7, $8)
