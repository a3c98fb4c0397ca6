-- Writes a check-out and what patrons may be told of.
SELECT write_check_out($1, $2, $3, $4, $5, $6, $7, $8, $9), note_events($10)
