-- The links of an instance. $1 its id.
SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
  'id', l.id, 'authorityId', l.authority, 'authorityNaturalId', a.doc->'naturalId', 'instanceId', l.instance,
  'linkingRuleId', l.rule, 'status', l.status, 'errorCause', l.cause)) ORDER BY l.id), '[]')
FROM authority_link l JOIN authority a ON a.id = l.authority WHERE l.instance = $1::uuid
