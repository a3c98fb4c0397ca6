-- A user as the archives show one, with what groups grant. One of these is not null: $1 number, $2 user, $3 user name.
SELECT n.number, n.user_id, n.made_here, n.record, archives_grants(n.user_id) AS grants
FROM archives_user_records(ARRAY(
  SELECT a.id FROM archives_user a
  WHERE a.id = $1::bigint OR a.user_id = $2::uuid OR a.user_id = (
    SELECT u.id FROM users u WHERE carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($3::text)))) n
