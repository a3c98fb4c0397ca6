-- Writes a request and its consequences (`write_request`), and records notice events ($8). $9 whether a block was
-- overridden.
SELECT write_request($1, $2, $3, $4, $5, $6, $7, $9), note_events($8)
