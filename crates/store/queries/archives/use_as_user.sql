-- A user of the library as one of the archives, with what groups grant; no row: there is no such user. Whoever is there for
-- the first time gets a number. $1 user, $2 now.
WITH known AS (
  SELECT n.id FROM archives_user n WHERE n.user_id = $1),
made AS (
  INSERT INTO archives_user (user_id, created, changed)
  SELECT u.id, $2::timestamptz, $2 FROM users u WHERE u.id = $1 AND NOT EXISTS (SELECT FROM known)
  ON CONFLICT (user_id) DO UPDATE SET created = archives_user.created
  RETURNING id)
SELECT n.id AS number, archives_grants($1) AS grants, archives_preferences(n.id) AS preferences
FROM (SELECT id FROM known UNION ALL SELECT id FROM made) n
