-- Patrons whose last action is older than the limit. $1 action type or null, $2 limit, $3 maximum number.
SELECT coalesce(json_agg(json_build_object('patronId', patron, 'actionType', action)), '[]')::text
FROM (SELECT s.doc->>'patronId' AS patron, s.doc->>'actionType' AS action
      FROM patron_action_session s
      WHERE $1::text IS NULL OR s.doc->>'actionType' = $1
      GROUP BY 1, 2
      HAVING max(s.doc#>>'{metadata,createdDate}') < $2
      ORDER BY max(s.doc#>>'{metadata,createdDate}') LIMIT $3) expired
