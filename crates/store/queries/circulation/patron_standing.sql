-- The data that determine a patron's blocks. $1 patron, $2 now in stored form.
SELECT (SELECT version FROM configuration_version) AS version, u.patrongroup AS patron_group,
  (SELECT s.standing FROM patron_standing(u.id, $2) s) AS standing
FROM users u WHERE u.id = $1
