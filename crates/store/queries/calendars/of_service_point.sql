-- The calendars of a service point, ordered by first day. $1 the service point.
SELECT coalesce(jsonb_agg(c.doc ORDER BY c.doc->>'startDate'), '[]')
FROM calendars c WHERE (c.doc->'assignments') @> to_jsonb(ARRAY[$1::uuid::text])
