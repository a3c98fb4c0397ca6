-- Writes a request and what changes with it (`write_request`), and what patrons may be told of ($8). $9 whether a block was
-- overridden.
WITH told AS MATERIALIZED (SELECT set_config('carrel.through_override', ($9::boolean)::text, true))
SELECT write_request($1, $2, $3, $4, $5, $6, $7), note_events($8) FROM told
