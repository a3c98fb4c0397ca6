-- The open transactions that prevent a user's deletion. Every manual block
-- counts, one that has expired, too. Parameters: user id, user name (one of them null).
WITH who AS (
  SELECT u.id, u.doc FROM users u
  WHERE u.id = $1 OR carrel.folded_key(u.doc->>'username') COLLATE "C" = carrel.folded_key($2)
  ORDER BY u.id LIMIT 1
)
SELECT who.id, who.doc->>'barcode' AS barcode,
  (SELECT count(*) FROM loan l WHERE l.userid = who.id AND l.status_name = 'Open') AS loans,
  (SELECT count(*) FROM request r WHERE r.requesterid = who.id AND r.doc->>'status' LIKE 'Open%') AS requests,
  (SELECT count(*) FROM accounts a WHERE a.userid = who.id AND a.status_name_fold = 'open') AS fees_fines,
  (SELECT count(*) FROM proxyfor p WHERE p.userid = who.id OR p.proxyuserid = who.id) AS proxies,
  (SELECT count(*) FROM manualblocks b WHERE b.userid = who.id) AS blocks
FROM who
