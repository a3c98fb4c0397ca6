-- Spends a refresh token. Parameters: digest, now. Answers the token's user (no row: there is no such token),
-- whether it was good, user name and state, whether it was spent before in its time, and its generation.
WITH spent AS (
  UPDATE refresh_token SET spent = true WHERE digest = $1 AND NOT spent AND expires > $2 RETURNING user_id
)
SELECT t.user_id, EXISTS (SELECT FROM spent) AND t.generation >= coalesce(g.generation, 0),
       coalesce(u.doc->>'username', t.user_id::text), coalesce((u.doc->>'active')::boolean, false),
       NOT EXISTS (SELECT FROM spent) AND t.expires > $2 AND t.generation >= coalesce(g.generation, 0), t.generation
FROM refresh_token t
LEFT JOIN users u ON u.id = t.user_id
LEFT JOIN token_generation g ON g.user_id = t.user_id
WHERE t.digest = $1
