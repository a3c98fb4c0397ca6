-- The calendars of a service point, ordered by first day, and the stamp of the near-static records. $1 the service point.
SELECT coalesce(jsonb_agg(c.doc ORDER BY c.doc->>'startDate'), '[]') AS calendars,
       (SELECT stamp FROM snapshot_stamp) AS stamp
FROM calendars c WHERE (c.doc->'assignments') @> to_jsonb(ARRAY[$1::uuid::text])
