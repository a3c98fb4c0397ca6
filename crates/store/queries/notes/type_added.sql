-- Adds a note type ($1 id, $2 record) unless the limit is reached: 25, or the value of the configuration entry.
WITH allowed AS MATERIALIZED (
  SELECT coalesce((SELECT (c.doc->>'value')::int FROM config_data c
    WHERE c.doc->>'module' = 'NOTES' AND (c.doc->>'value') ~ '^[0-9]{1,6}$'
      AND (c.doc->>'configName' = 'note-type-limit' OR c.doc->>'code' = 'note.types.number.limit') LIMIT 1), 25)
    AS number),
added AS (
  INSERT INTO note_type (id, doc)
  SELECT $1, $2 WHERE (SELECT count(*) FROM note_type) < (SELECT number FROM allowed) RETURNING 1)
SELECT EXISTS (SELECT FROM added) AS added, number FROM allowed
