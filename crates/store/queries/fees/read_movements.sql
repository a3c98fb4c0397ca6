-- Movements for reports, each with everything a report says about it. $1 their types, $2 and $3 from when to before
-- when (as stored) or null, $4 service points or null, $5 names of staff or null, $6 owners or null; $7 true: by owner,
-- staff and date, false: by date.
SELECT f.doc AS movement, a.doc AS account,
  (SELECT u.doc FROM users u WHERE u.id = a.userid) AS patron,
  (SELECT g.doc->>'group' FROM users u JOIN groups g ON g.id = (u.doc->>'patronGroup')::uuid WHERE u.id = a.userid)
    AS patron_group,
  (SELECT json_build_object('item', i.doc, 'instanceId', t.id, 'title', t.doc->'title', 'contributors',
     t.doc->'contributors', 'location', (SELECT l.doc->>'name' FROM location l WHERE l.id = (i.doc->>'effectiveLocationId')::uuid))
   FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid JOIN instance t ON t.id = h.instanceid
   WHERE i.id = a.itemid) AS item,
  (SELECT l.doc FROM loan l WHERE l.id = a.loanid) AS loan,
  (SELECT coalesce(json_agg(m.doc ORDER BY m.doc->>'dateAction', m.seq), '[]') FROM feefineactions m WHERE m.accountid = a.id)
    AS movements,
  (SELECT coalesce(json_object_agg(s.id, s.doc->>'name'), '{}') FROM service_point s) AS service_points,
  (SELECT json_build_object(
     'loan', (SELECT p.doc->>'name' FROM loan_policy p WHERE p.id = (a.doc->>'loanPolicyId')::uuid),
     'overdue', (SELECT p.doc->>'name' FROM overdue_fine_policy p WHERE p.id = (a.doc->>'overdueFinePolicyId')::uuid),
     'lost', (SELECT p.doc->>'name' FROM lost_item_fee_policy p WHERE p.id = (a.doc->>'lostItemFeePolicyId')::uuid)))
    AS policies
FROM feefineactions f
  LEFT JOIN accounts a ON a.id = f.accountid
WHERE f.doc->>'typeAction' = ANY($1)
  AND (coalesce(f.doc->>'dateAction', '') COLLATE "C") >= coalesce($2::text, '')
  AND (coalesce(f.doc->>'dateAction', '') COLLATE "C") < coalesce($3::text, '~')
  AND ($4::text[] IS NULL OR f.doc->>'createdAt' = ANY($4))
  AND ($5::text[] IS NULL OR f.doc->>'source' = ANY($5))
  AND ($6::text[] IS NULL OR a.doc->>'ownerId' = ANY($6))
ORDER BY CASE WHEN $7 THEN a.doc->>'feeFineOwner' END, CASE WHEN $7 THEN f.doc->>'source' END,
  (f.doc->>'dateAction') COLLATE "C", f.seq
LIMIT 1000000
