-- Gives an instance just these links; not if an authority does not exist, which is the answer then. $1 its id,
-- $2 [{authorityId, linkingRuleId}], $3 now.
WITH sent AS MATERIALIZED (
  SELECT (s.link->>'authorityId')::uuid AS authority, (s.link->>'linkingRuleId')::integer AS rule, min(s.place) AS place
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS s (link, place) GROUP BY 1, 2),
unknown AS MATERIALIZED (
  SELECT s.authority FROM sent s WHERE NOT EXISTS (SELECT FROM authority a WHERE a.id = s.authority) LIMIT 1),
gone AS (
  DELETE FROM authority_link l
  WHERE l.instance = $1::uuid AND NOT EXISTS (SELECT FROM unknown)
    AND NOT EXISTS (SELECT FROM sent s WHERE s.authority = l.authority AND s.rule = l.rule)),
made AS (
  INSERT INTO authority_link (instance, authority, rule, changed)
  SELECT $1::uuid, s.authority, s.rule, $3::timestamptz FROM sent s WHERE NOT EXISTS (SELECT FROM unknown)
  ORDER BY s.place
  ON CONFLICT (instance, authority, rule) DO NOTHING)
SELECT (SELECT u.authority FROM unknown u) AS unknown
