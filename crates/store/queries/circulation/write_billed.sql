-- Writes what lost items cost and what patrons may be told of.
SELECT write_billed($1, $2, $3), note_events($4)
