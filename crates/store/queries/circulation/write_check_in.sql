-- Writes a check-in, and records notice events.
SELECT write_check_in($1, $2, $3, $4, $5, $6, $7, $8, $9, $10), note_events($11)
