-- Writes fees and what patrons may be told of.
SELECT write_fees($1), note_events($2)
