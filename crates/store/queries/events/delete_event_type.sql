-- Removes a kind of event that no module uses. $1 the name. Returns whether it was there, and the modules in the way.
WITH users_of_it AS (SELECT m.module_id FROM messaging_module m WHERE m.event_type = $1 ORDER BY m.module_id),
known AS (SELECT FROM event_type t WHERE t.name = $1),
removed AS (
  DELETE FROM event_type t WHERE t.name = $1 AND NOT EXISTS (SELECT FROM users_of_it))
SELECT EXISTS (SELECT FROM known), ARRAY(SELECT module_id FROM users_of_it)
