-- Renews a session and returns its user with what groups grant; no row: there is no such session. One that has ended
-- is deleted. $1 digest of its token, $2 now.
WITH ended AS (
  DELETE FROM archives_session s WHERE s.digest = $1
    AND s.used < $2::timestamptz - CASE WHEN s.expiring THEN interval '1 hour' ELSE interval '7 days' END
  RETURNING s.user_id),
used AS (
  UPDATE archives_session s SET used = $2::timestamptz WHERE s.digest = $1
    AND s.used >= $2::timestamptz - CASE WHEN s.expiring THEN interval '1 hour' ELSE interval '7 days' END
  RETURNING s.user_id)
SELECT e.user_id, true AS ended, NULL::bigint AS number, NULL::jsonb AS grants, NULL::jsonb AS preferences FROM ended e
UNION ALL
SELECT s.user_id, false, n.id,
       archives_grants(s.user_id), archives_preferences(n.id)
FROM used s JOIN archives_user n ON n.user_id = s.user_id JOIN users u ON u.id = s.user_id
