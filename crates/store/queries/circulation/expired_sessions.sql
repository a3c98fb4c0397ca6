-- Patrons whose last action is older than the limit. $1 action type or null, $2 limit, $3 maximum number.
SELECT coalesce(json_agg(json_build_object('patronId', patron, 'actionType', action)), '[]')::text
FROM (SELECT doc->>'patronId' AS patron, doc->>'actionType' AS action
      FROM patron_action_session
      WHERE $1::text IS NULL OR doc->>'actionType' = $1
      GROUP BY 1, 2
      HAVING max(doc#>>'{metadata,createdDate}') < $2
      ORDER BY max(doc#>>'{metadata,createdDate}') LIMIT $3) expired
