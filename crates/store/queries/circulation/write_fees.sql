-- Writes fees, and records notice events.
SELECT write_fees($1), note_events($2)
