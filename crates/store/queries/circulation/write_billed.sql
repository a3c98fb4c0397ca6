-- Writes the costs of lost items, and records notice events.
SELECT write_billed($1, $2, $3), note_events($4)
