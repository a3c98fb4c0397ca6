-- Writes another version of a loan (`write_loan`) and what patrons may be told of.
SELECT write_loan($1, $2, $3, $4, $5, $6, $7, $8), note_events($9)
