-- Instances changed from $1 to $2, as changed_instances() says (GET /inventory-hierarchy/updated-instance-ids).
SELECT json_build_object('instanceId', id, 'source', coalesce(source, ''), 'updatedDate', harvested_date(updated),
                         'suppressFromDiscovery', suppressed::text, 'deleted', deleted::text)::text
FROM changed_instances($1, $2, $3, $4, $5, $6)
