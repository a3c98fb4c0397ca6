-- Spends a refresh token. Parameters: digest, now. Answers the token's user (no row: there is no such token),
-- whether it was good, and user name and state.
WITH spent AS (
  UPDATE refresh_token SET spent = true WHERE digest = $1 AND NOT spent AND expires > $2 RETURNING user_id
)
SELECT t.user_id, EXISTS (SELECT FROM spent), coalesce(u.doc->>'username', t.user_id::text),
       coalesce((u.doc->>'active')::boolean, false), t.expires > $2
FROM refresh_token t LEFT JOIN users u ON u.id = t.user_id WHERE t.digest = $1
