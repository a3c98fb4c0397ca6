-- The levels of records that at least one repository offers to harvesters.
SELECT v.value::text AS value
FROM archival_value_list l
JOIN archival_listed_value v ON v.list = l.id
WHERE l.name = 'archival_record_level'
  AND EXISTS (SELECT FROM archival_offered_repositories() o WHERE NOT o.restricted OR v.value = ANY (o.levels))
ORDER BY v.position
