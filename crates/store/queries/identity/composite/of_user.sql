-- A user with what belongs to him, each part null when there is none or it was not asked for.
-- Parameters: user id, user name (one of them null), groups, permissions, service points, proxies wanted,
-- permissions unfolded, replaced names as `{"old": ["new"]}`.
WITH RECURSIVE who AS (
  SELECT u.id, u.doc, u.patrongroup FROM users u
  WHERE u.id = $1 OR (left(carrel.fold(u.doc->>'username'), 600) COLLATE "C") = left(carrel.fold($2), 600)
  ORDER BY u.id LIMIT 1
), inside (name) AS (
  SELECT jsonb_array_elements_text(p.doc->'permissions')
  FROM who JOIN permissions_users p ON p.userid = who.id WHERE $7
  UNION
  SELECT further.name
  FROM inside CROSS JOIN LATERAL (
    SELECT jsonb_array_elements_text(p.doc->'subPermissions') FROM permissions p
    WHERE (left(p.doc->>'permissionName', 600) COLLATE "C") = inside.name COLLATE "C"
    UNION ALL SELECT jsonb_array_elements_text($8::jsonb->inside.name)
  ) AS further (name)
), parents (name, names) AS (
  SELECT sub, jsonb_agg(p.doc->'permissionName' ORDER BY p.seq)
  FROM permissions p CROSS JOIN LATERAL jsonb_array_elements_text(p.doc->'subPermissions') AS sub
  WHERE $7 GROUP BY sub
)
SELECT who.doc::text,
  CASE WHEN $3 THEN (SELECT g.doc::text FROM groups g WHERE g.id = who.patrongroup) END,
  CASE WHEN $4 OR $7 THEN (SELECT p.doc FROM permissions_users p WHERE p.userid = who.id) END,
  CASE WHEN $7 THEN (
    SELECT coalesce(json_agg(p.doc || jsonb_build_object('childOf', coalesce(parents.names, '[]'),
                             'grantedTo', permission_holders(inside.name)) ORDER BY inside.name), '[]')::text
    FROM inside
    JOIN permissions p ON (left(p.doc->>'permissionName', 600) COLLATE "C") = inside.name COLLATE "C"
    LEFT JOIN parents USING (name)) END,
  CASE WHEN $5 THEN (
    SELECT (s.doc || jsonb_build_object('servicePoints', coalesce((
             SELECT jsonb_agg(sp.doc ORDER BY sp.seq) FROM service_point sp
             WHERE sp.id IN (SELECT i.id::uuid FROM jsonb_array_elements_text(s.doc->'servicePointsIds') AS i (id)
                             UNION SELECT (s.doc->>'defaultServicePointId')::uuid)), '[]')))::text
    FROM service_point_user s
    WHERE (left(carrel.fold(s.doc->>'userId'), 600) COLLATE "C") = who.id::text) END,
  CASE WHEN $6 THEN (
    SELECT json_agg(x.doc ORDER BY x.seq)::text FROM proxyfor x WHERE x.userid = who.id) END
FROM who
