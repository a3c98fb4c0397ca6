-- Links, the last changed first. $1 the status or NULL, $2 from, $3 to, $4 how many.
SELECT jsonb_strip_nulls(jsonb_build_object(
  'instanceId', l.instance, 'instanceTitle', i.doc->'title', 'bibRecordTag', r.bib_field,
  'authorityNaturalId', a.doc->'naturalId', 'errorCause', l.cause)) AS stat, l.changed AS at
FROM authority_link l
JOIN linking_rule r ON r.id = l.rule
LEFT JOIN authority a ON a.id = l.authority
LEFT JOIN instance i ON i.id = l.instance
WHERE ($1::text IS NULL OR l.status = $1::text) AND l.changed >= $2::timestamptz AND l.changed <= $3::timestamptz
ORDER BY l.changed DESC, l.id DESC LIMIT $4::bigint
