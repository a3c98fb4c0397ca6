-- Removes an event type that no module uses. $1 the name. Returns whether it existed, and the modules that use it.
WITH users_of_it AS (SELECT m.module_id FROM messaging_module m WHERE m.event_type = $1 ORDER BY m.module_id),
known AS (SELECT FROM event_type t WHERE t.name = $1),
removed AS (
  DELETE FROM event_type t WHERE t.name = $1 AND NOT EXISTS (SELECT FROM users_of_it))
SELECT EXISTS (SELECT FROM known) AS was_known, ARRAY(SELECT module_id FROM users_of_it) AS users
