-- Removes declarations. $1 the event type or null, $2 the module, in any version, or null, $3 the role.
DELETE FROM messaging_module m
WHERE m.role = $3 AND ($1::text IS NULL OR m.event_type = $1)
  AND ($2::text IS NULL OR regexp_replace(m.module_id, '\d+', '0', 'g') = regexp_replace($2, '\d+', '0', 'g'))
