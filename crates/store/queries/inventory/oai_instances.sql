-- Instances changed from $1 to $2, as changed_instances() says, with their items (GET /oai-pmh-view/instances).
SELECT json_build_object('instanceid', i.id, 'updateddate', harvested_date(i.updated), 'deleted', i.deleted::text,
  'itemsandholdingsfields', CASE WHEN found.items IS NULL THEN '""' ELSE jsonb_build_object(
    'instanceid', i.id, 'suppressfromdiscovery', i.suppressed, 'items', found.items) END)::text
FROM changed_instances($1, $2, $3, $4, false, NULL) i CROSS JOIN LATERAL (SELECT oai_items(i.id, $4, i.suppressed) AS items) found
