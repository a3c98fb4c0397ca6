-- How the containers of repository $1 circulate, and how many do; no row if they do not.
SELECT jsonb_build_object(
  'instance_type_id', c.instance_type, 'material_type_id', c.material_type, 'loan_type_id', c.loan_type,
  'location_id', c.location,
  'buildings', coalesce((
    SELECT jsonb_agg(jsonb_build_object('building', b.building, 'location_id', b.location) ORDER BY b.building)
    FROM archival_building b WHERE b.repository = c.repository), '[]'),
  'items', n.items, 'on_loan', n.on_loan, 'requests', n.requests) AS circulation
FROM archival_circulation c
CROSS JOIN LATERAL (
  SELECT count(*) AS items, count(*) FILTER (WHERE EXISTS (SELECT FROM loan l WHERE l.open_item = b.item)) AS on_loan,
         coalesce(sum((SELECT count(*) FROM request q WHERE q.open_item = b.item)), 0)::bigint AS requests
  FROM archival_record r JOIN archival_box b ON b.container = r.id
  WHERE r.kind = 'top_container' AND r.repository = c.repository) n
WHERE c.repository = $1::bigint
