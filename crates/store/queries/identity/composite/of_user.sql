-- A user with related records, each null if it does not exist or was not requested. Parameters: user id, user name (one
-- of them null), groups, permissions, service points, proxies wanted, permissions expanded, replaced names as `{"old":
-- ["new"]}`.
WITH RECURSIVE who AS (
  SELECT u.id, u.doc, u.patrongroup FROM users u
  WHERE u.id = $1 OR carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($2)
  ORDER BY u.id LIMIT 1
), inside (name) AS (
  -- Of an array PostgreSQL expects ten texts, of JSON a hundred: at each step, so that it made room for eight million names
  -- before it read one.
  SELECT held.name
  FROM who JOIN permissions_users p ON p.userid = who.id,
       unnest(ARRAY(SELECT jsonb_array_elements_text(p.doc->'permissions'))) AS held (name)
  WHERE $7
  UNION
  SELECT further.name
  FROM inside CROSS JOIN LATERAL unnest(ARRAY(
    SELECT jsonb_array_elements_text(p.doc->'subPermissions') FROM permissions p
    WHERE carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = inside.name
    UNION ALL SELECT jsonb_array_elements_text($8::jsonb->inside.name)
  )) AS further (name)
), parents (name, names) AS (
  SELECT sub, jsonb_agg(p.doc->'permissionName' ORDER BY p.seq)
  FROM permissions p CROSS JOIN LATERAL jsonb_array_elements_text(p.doc->'subPermissions') AS sub
  WHERE $7 GROUP BY sub
)
SELECT who.doc::text AS user_record,
  CASE WHEN $3 THEN (SELECT g.doc::text FROM groups g WHERE g.id = who.patrongroup) END AS group_record,
  CASE WHEN $4 OR $7 THEN (SELECT p.doc FROM permissions_users p WHERE p.userid = who.id) END AS holder,
  CASE WHEN $7 THEN (
    SELECT coalesce(json_agg(p.doc || jsonb_build_object('childOf', coalesce(parents.names, '[]'),
                             'grantedTo', permission_holders(inside.name)) ORDER BY inside.name), '[]')::text
    FROM inside
    JOIN permissions p ON carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = inside.name
    LEFT JOIN parents USING (name)) END AS permissions,
  CASE WHEN $5 THEN (
    SELECT (s.doc || jsonb_build_object('servicePoints', coalesce((
             SELECT jsonb_agg(sp.doc ORDER BY sp.seq) FROM service_point sp
             WHERE sp.id IN (SELECT i.id::uuid FROM jsonb_array_elements_text(s.doc->'servicePointsIds') AS i (id)
                             UNION SELECT (s.doc->>'defaultServicePointId')::uuid)), '[]')))::text
    FROM service_point_user s
    WHERE carrel.folded_key(s.doc->>'userId') COLLATE "C" = who.id::text) END AS service_points,
  CASE WHEN $6 THEN (
    SELECT json_agg(x.doc ORDER BY x.seq)::text FROM proxyfor x WHERE x.userid = who.id) END AS proxies
FROM who
