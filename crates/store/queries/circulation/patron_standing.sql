-- What a patron's blocks are computed from. $1 patron, $2 now as dates are stored.
SELECT (SELECT version FROM configuration_version), u.patrongroup, patron_standing(u.id, $2)
FROM users u WHERE u.id = $1
