-- Adds a descriptor or replaces a temporary one. $1 the name, $2 the descriptor. Returns the conflicting descriptor, or
-- null; an equal one is no conflict.
WITH added AS (
  INSERT INTO event_type AS t (name, descriptor) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET descriptor = excluded.descriptor
  WHERE (t.descriptor->>'tmp')::boolean OR t.descriptor = excluded.descriptor
  RETURNING name)
SELECT (SELECT t.descriptor FROM event_type t WHERE t.name = $1 AND NOT EXISTS (SELECT FROM added))
