-- Events in the outbox, as audit messages. $1 and $2 limit the time of writing, $3 an id or null, $4 a type or null, $5
-- the limit, $6 the tenant.
SELECT jsonb_strip_nulls(jsonb_build_object(
  'id', o.id, 'eventId', o.id, 'eventType', o.topic, 'tenantId', $6::text, 'publishedBy', 'carrel',
  'auditDate', carrel.stored_moment(coalesce(o.dead, o.written)),
  'state', CASE WHEN o.dead IS NULL THEN 'PUBLISHED' ELSE 'REJECTED' END,
  'errorMessage', CASE WHEN o.error IS NOT NULL THEN
    format('%s event with id ''%s'' was not delivered to %s: %s', o.topic, o.id, o.subscriber, o.error) END))
FROM event_outbox o
WHERE ($1::timestamptz IS NULL OR o.written >= $1) AND ($2::timestamptz IS NULL OR o.written <= $2)
  AND ($3::uuid IS NULL OR o.id = $3) AND ($4::text IS NULL OR o.topic = $4)
ORDER BY o.seq LIMIT $5
