-- The modules that publish or subscribe to an event type. $1 its name, $2 the role, $3 the tenant.
SELECT jsonb_build_object('id', m.id, 'eventType', m.event_type, 'moduleId', m.module_id, 'tenantId', $3::text,
                          'moduleRole', m.role, 'activated', true, 'subscriberCallback', coalesce(m.callback, ''))
FROM messaging_module m
WHERE m.event_type = $1 AND m.role = $2
ORDER BY m.module_id
