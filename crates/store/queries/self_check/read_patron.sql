-- The data of a patron for a self-check, in one row. $1 barcode, external system id or user name, $2 now in stored
-- form, $3 the requested list (holds, overdue, charged, fees, recalled or unavailable; null for none), $4 number of
-- entries to skip, $5 maximum number of entries.
WITH found AS (
  SELECT u.id, u.doc FROM users u
  WHERE u.id = coalesce(
    (SELECT b.id FROM users b WHERE carrel.folded_key(b.doc->>'barcode') COLLATE "C" = carrel.folded_key($1::text) LIMIT 1),
    (SELECT e.id FROM users e WHERE carrel.folded_key(e.doc->>'externalSystemId') COLLATE "C" = carrel.folded_key($1::text) LIMIT 1),
    (SELECT n.id FROM users n WHERE carrel.folded_key(n.doc->>'username') COLLATE "C" = carrel.folded_key($1::text) LIMIT 1))),
loans AS (
  SELECT i.id, i.doc->>'barcode' AS barcode, l.doc->>'dueDate' AS due,
         EXISTS (SELECT FROM request r WHERE r.open_item = l.open_item AND r.doc->>'requestType' = 'Recall') AS recalled
  FROM found f JOIN loan l ON l.open_borrower = f.id JOIN item i ON i.id = l.open_item),
requests AS (
  SELECT coalesce((SELECT i.doc->>'barcode' FROM item i WHERE i.id = r.itemid), r.doc#>>'{instance,title}', r.id::text) AS barcode,
         r.doc->>'requestDate' AS asked, r.doc->>'status' = 'Open - Awaiting pickup' AS ready
  FROM found f JOIN request r ON r.requesterid = f.id WHERE r.doc->>'status' LIKE 'Open%'),
fees AS (
  SELECT a.id, a.seq, a.doc FROM found f JOIN accounts a ON a.userid = f.id WHERE a.status_name_fold = 'open')
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT f.doc FROM found f) AS patron,
  (SELECT json_agg(b.doc ORDER BY b.seq) FROM manualblocks b JOIN found f ON b.userid = f.id) AS manual_blocks,
  (SELECT s.standing FROM found f, patron_standing(f.id, $2::text) s) AS standing,
  json_build_object(
    'charged', (SELECT count(*) FROM loans),
    'overdue', (SELECT count(*) FROM loans WHERE due < $2::text),
    'recalled', (SELECT count(*) FROM loans WHERE recalled),
    'holds', (SELECT count(*) FROM requests WHERE ready),
    'unavailable', (SELECT count(*) FROM requests WHERE NOT ready),
    'fees', (SELECT count(*) FROM fees)) AS counts,
  (SELECT coalesce(sum((doc->>'remaining')::numeric), 0)::text FROM fees) AS owed,
  CASE
    WHEN $3::text IN ('charged', 'overdue', 'recalled') THEN
      (SELECT json_agg(json_build_object('id', x.id, 'barcode', x.barcode) ORDER BY x.due, x.id) FROM
        (SELECT * FROM loans WHERE $3 = 'charged' OR ($3 = 'overdue' AND due < $2) OR ($3 = 'recalled' AND recalled)
         ORDER BY due, id OFFSET $4::bigint LIMIT $5::bigint) x)
    WHEN $3 IN ('holds', 'unavailable') THEN
      (SELECT json_agg(json_build_object('barcode', x.barcode) ORDER BY x.asked, x.barcode) FROM
        (SELECT * FROM requests WHERE ready = ($3 = 'holds') ORDER BY asked, barcode OFFSET $4 LIMIT $5) x)
    WHEN $3 = 'fees' THEN
      (SELECT json_agg(json_build_object('id', x.id, 'barcode', x.doc->'barcode', 'title', x.doc->'title',
                'remaining', (x.doc->>'remaining')::numeric::text, 'kind', x.doc->'feeFineId',
                'kindName', x.doc->'feeFineType', 'charged', x.doc#>'{metadata,createdDate}') ORDER BY x.seq) FROM
        (SELECT * FROM fees ORDER BY seq OFFSET $4 LIMIT $5) x)
  END AS listed
