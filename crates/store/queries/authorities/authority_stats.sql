-- What has changed in authorities that are there, the newest first. $1 the action, $2 from, $3 to, $4 how many.
SELECT jsonb_strip_nulls(jsonb_build_object(
  'id', s.id, 'authorityId', s.authority, 'action', s.action,
  'naturalIdOld', s.before->'naturalId', 'naturalIdNew', s.after->'naturalId',
  'headingOld', s.before->'heading', 'headingNew', s.after->'heading',
  'headingTypeOld', s.before->'headingType', 'headingTypeNew', s.after->'headingType',
  'sourceFileOld', coalesce((SELECT f.doc->>'name' FROM authority_source_file f
                             WHERE f.id = (s.before->>'sourceFileId')::uuid), 'Not specified'),
  'sourceFileNew', coalesce((SELECT f.doc->>'name' FROM authority_source_file f
                             WHERE f.id = (s.after->>'sourceFileId')::uuid), 'Not specified'),
  'lbTotal', s.links, 'lbUpdated', 0, 'lbFailed', 0,
  'metadata', jsonb_build_object(
    'startedByUserId', s.started_by, 'startedByUserFirstName', u.doc->'personal'->'firstName',
    'startedByUserLastName', u.doc->'personal'->'lastName'))) AS stat, s.started AS at
FROM authority_stat s LEFT JOIN users u ON u.id = s.started_by
WHERE s.action = $1::text AND s.started >= $2::timestamptz AND s.started <= $3::timestamptz
  AND EXISTS (SELECT FROM authority a WHERE a.id = s.authority)
ORDER BY s.started DESC LIMIT $4::bigint
