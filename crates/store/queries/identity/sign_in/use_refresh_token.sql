-- Uses up a refresh token. Parameters: digest, now. Returns the token's user (no row: unknown token), whether it was
-- valid, user name and state, whether it had been used before its expiry, and its generation.
WITH spent AS (
  UPDATE refresh_token SET spent = true WHERE digest = $1 AND NOT spent AND expires > $2 RETURNING user_id
)
SELECT t.user_id, EXISTS (SELECT FROM spent) AND t.generation >= coalesce(g.generation, 0) AS is_good,
       coalesce(u.doc->>'username', t.user_id::text) AS username,
       coalesce((u.doc->>'active')::boolean, false) AS is_active,
       NOT EXISTS (SELECT FROM spent) AND t.expires > $2 AND t.generation >= coalesce(g.generation, 0) AS is_reused,
       t.generation
FROM refresh_token t
LEFT JOIN users u ON u.id = t.user_id
LEFT JOIN token_generation g ON g.user_id = t.user_id
WHERE t.digest = $1
