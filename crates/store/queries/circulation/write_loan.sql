-- Writes a changed loan (`write_loan`), and records notice events.
SELECT write_loan($1, $2, $3, $4, $5, $6, $7, $8), note_events($9)
