-- Writes a check-out, and records notice events.
SELECT write_check_out($1, $2, $3, $4, $5, $6, $7, $8, $9), note_events($10)
