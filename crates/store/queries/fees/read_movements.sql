-- Fee actions for reports, each with the data a report shows; names come from the configuration. $1 types, $2 start and
-- $3 end (exclusive, in stored form) or null, $4 service points or null, $5 names of staff or null, $6 owners or null;
-- $7 true: by owner, staff and date, false: by date; $8 true: with what was paid and transferred before.
SELECT f.doc AS movement, a.doc AS account,
  json_build_object('barcode', u.doc->'barcode', 'patronGroup', u.doc->'patronGroup', 'personal', u.doc->'personal')
    AS patron,
  json_build_object(
    'item', json_build_object(
      'id', i.id, 'barcode', i.doc->'barcode', 'holdingsRecordId', i.holdingsrecordid,
      'effectiveCallNumberComponents', i.doc->'effectiveCallNumberComponents'),
    'locationId', i.doc->'effectiveLocationId', 'instanceId', t.id, 'title', t.doc->'title',
    'contributors', t.doc->'contributors') AS item,
  json_build_object(
    'id', l.id, 'loanDate', l.doc->'loanDate', 'loanPolicyId', l.doc->'loanPolicyId',
    'overdueFinePolicyId', l.doc->'overdueFinePolicyId', 'lostItemPolicyId', l.doc->'lostItemPolicyId') AS loan,
  (SELECT m.doc FROM feefineactions m
   WHERE m.accountid = a.id ORDER BY (m.doc->>'dateAction') COLLATE "C", m.seq LIMIT 1) AS charge,
  CASE WHEN $8::boolean THEN
    (SELECT json_agg(m.doc ORDER BY (m.doc->>'dateAction') COLLATE "C", m.seq) FROM feefineactions m
     WHERE m.accountid = a.id
       AND m.doc->>'typeAction' IN ('Paid partially', 'Paid fully', 'Transferred partially', 'Transferred fully')
       AND (coalesce(m.doc->>'dateAction', '') COLLATE "C", m.seq)
         < (coalesce(f.doc->>'dateAction', '') COLLATE "C", f.seq))
  END AS payments
FROM feefineactions f
  LEFT JOIN accounts a ON a.id = f.accountid
  LEFT JOIN users u ON u.id = a.userid
  LEFT JOIN item i ON i.id = (a.doc->>'itemId')::uuid
  LEFT JOIN holdings_record h ON h.id = i.holdingsrecordid
  LEFT JOIN instance t ON t.id = h.instanceid
  LEFT JOIN loan l ON l.id = a.loanid
WHERE f.doc->>'typeAction' = ANY($1)
  AND (coalesce(f.doc->>'dateAction', '') COLLATE "C") >= coalesce($2::text, '')
  AND (coalesce(f.doc->>'dateAction', '') COLLATE "C") < coalesce($3::text, '~')
  AND ($4::text[] IS NULL OR f.doc->>'createdAt' = ANY($4))
  AND ($5::text[] IS NULL OR f.doc->>'source' = ANY($5))
  AND ($6::text[] IS NULL OR a.doc->>'ownerId' = ANY($6))
ORDER BY CASE WHEN $7 THEN a.doc->>'feeFineOwner' END, CASE WHEN $7 THEN f.doc->>'source' END,
  (f.doc->>'dateAction') COLLATE "C", f.seq
