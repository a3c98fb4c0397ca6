-- Instances changed from $1 to $2, as changed_instances() says, with their holdings and items (GET /oai-pmh-view/updatedInstanceIds).
SELECT json_build_object('instanceid', id, 'updateddate', harvested_date(updated), 'suppressfromdiscovery', suppressed::text,
                         'deleted', deleted::text)::text
FROM changed_instances($1, $2, $3, $4, false, NULL)
