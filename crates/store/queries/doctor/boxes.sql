-- Containers of the archives and items that do not agree (decision 48): for each kind of difference the number and an example.
-- None of them is in the answer if all is well.
SELECT 'no item' AS what, count(*) AS rows, min(archival_uri(r.kind, r.repository, r.id)) AS example
FROM archival_circulation c
JOIN archival_record r ON r.kind = 'top_container' AND r.repository = c.repository AND r.doc->>'barcode' <> ''
LEFT JOIN archival_box b ON b.container = r.id
LEFT JOIN item i ON i.id = b.item
WHERE i.id IS NULL HAVING count(*) > 0
UNION ALL
SELECT 'other barcode', count(*), min(archival_uri(r.kind, r.repository, r.id))
FROM archival_box b
JOIN archival_record r ON r.kind = b.kind AND r.id = b.container
JOIN item i ON i.id = b.item
WHERE (i.doc->>'barcode', b.barcode) IS DISTINCT FROM (r.doc->>'barcode', r.doc->>'barcode')
   OR i.holdingsrecordid <> b.holdings
HAVING count(*) > 0
UNION ALL
SELECT 'item too many', count(*), min(b.item::text)
FROM archival_box b
LEFT JOIN archival_record r ON r.kind = b.kind AND r.id = b.container
LEFT JOIN archival_circulation c ON c.repository = r.repository
WHERE c.repository IS NULL OR coalesce(r.doc->>'barcode', '') = '' HAVING count(*) > 0
UNION ALL
SELECT 'other holdings', count(*), min(a.holdings::text)
FROM archival_holdings a
JOIN archival_title t ON t.kind = a.kind AND t.id = a.id
JOIN holdings_record h ON h.id = a.holdings
JOIN instance i ON i.id = t.instance
CROSS JOIN LATERAL archival_instances(ARRAY[a.kind], ARRAY[a.id]) n
WHERE (h.doc->>'instanceId', h.doc->>'permanentLocationId', h.doc->>'callNumber', i.doc->>'title')
  IS DISTINCT FROM (t.instance::text, a.location::text, n.call_number, n.said->>'title')
HAVING count(*) > 0
