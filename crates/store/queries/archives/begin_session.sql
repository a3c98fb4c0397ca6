-- Begins a session. $1 digest of its token, $2 user, $3 whether it expires within an hour, $4 now. Sessions that have
-- ended are deleted, a few at a time. Returns the user's number in the archives.
WITH over AS (
  DELETE FROM archives_session s WHERE s.digest IN (
    SELECT o.digest FROM archives_session o WHERE o.used < $4::timestamptz - interval '7 days' ORDER BY o.used LIMIT 20)),
begun AS (
  INSERT INTO archives_session (digest, user_id, expiring, used) VALUES ($1, $2, $3, $4))
INSERT INTO archives_user (user_id, created, changed) VALUES ($2, $4, $4)
ON CONFLICT (user_id) DO UPDATE SET created = archives_user.created
RETURNING id
