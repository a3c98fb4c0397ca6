-- Groups, permission users and proxies of several users. Parameters: user ids, group ids, groups, permissions,
-- proxies wanted.
SELECT
  CASE WHEN $3 THEN (SELECT jsonb_object_agg(g.id, g.doc) FROM groups g WHERE g.id = ANY ($2)) END,
  CASE WHEN $4 THEN (SELECT jsonb_object_agg(p.userid, p.doc) FROM permissions_users p WHERE p.userid = ANY ($1)) END,
  CASE WHEN $5 THEN (SELECT jsonb_object_agg(x.userid, x.list) FROM (
    SELECT p.userid, jsonb_agg(p.doc ORDER BY p.seq) AS list FROM proxyfor p WHERE p.userid = ANY ($1) GROUP BY 1) x) END
