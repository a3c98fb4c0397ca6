-- The user of a refresh token that is valid and stays so; no row: there is none, or the user may not sign in any more.
-- Parameters: digest, now.
SELECT t.user_id, t.generation, t.expires, coalesce(u.doc->>'username', t.user_id::text) AS username
FROM refresh_token t
JOIN users u ON u.id = t.user_id
LEFT JOIN token_generation g ON g.user_id = t.user_id
WHERE t.digest = $1 AND NOT t.spent AND t.expires > $2 AND t.generation >= coalesce(g.generation, 0)
  AND (u.doc->>'active')::boolean
