-- What keeps a user from being deleted. Parameters: user id, user name (one of them null), now.
WITH who AS (
  SELECT u.id, u.doc FROM users u
  WHERE u.id = $1 OR (left(carrel.fold(u.doc->>'username'), 600) COLLATE "C") = left(carrel.fold($2), 600)
  ORDER BY u.id LIMIT 1
)
SELECT who.id, who.doc->>'barcode',
  (SELECT count(*) FROM loan l WHERE l.userid = who.id AND l.doc#>>'{status,name}' = 'Open'),
  (SELECT count(*) FROM request r WHERE r.requesterid = who.id AND r.doc->>'status' LIKE 'Open%'),
  (SELECT count(*) FROM accounts a WHERE a.userid = who.id AND a.doc#>>'{status,name}' = 'Open'),
  (SELECT count(*) FROM proxyfor p WHERE p.userid = who.id OR p.proxyuserid = who.id),
  (SELECT count(*) FROM manualblocks b WHERE b.userid = who.id AND (b.doc->>'expirationDate')::timestamptz >= $3)
FROM who
