-- A staged user ($1), the patron it matches ($2, may be null), and the data needed to turn it into a patron: the group is
-- that of minors, that of new patrons, or the one the patron has.
WITH staged AS (
  SELECT s.doc, coalesce((s.doc->>'minor')::boolean, false) AS minor FROM staging_users s WHERE s.id = $1
), patron AS (
  SELECT u.doc, u.patrongroup FROM users u WHERE u.id = $2
)
SELECT (SELECT doc FROM staged) AS staged,
       (SELECT doc FROM patron) AS patron,
       (SELECT t.id FROM addresstype t WHERE t.doc->>'addressType' = 'Home') AS home,
       CASE WHEN (SELECT minor FROM staged) THEN
         (SELECT g.doc FROM groups g WHERE g.doc->>'group' = 'Basic -- Minor (INTERNAL)')
       WHEN $2 IS NULL THEN
         (SELECT g.doc FROM groups g WHERE g.doc->>'group' = 'Remote Non-circulating')
       ELSE
         (SELECT g.doc FROM groups g WHERE g.id = (SELECT patrongroup FROM patron))
       END AS patron_group
