-- All value lists, as records are checked against them. Suppressed values are no longer offered, but still right.
SELECT l.name, l.editable, array_agg(v.value ORDER BY v.position) FILTER (WHERE v.id IS NOT NULL) AS values
FROM archival_value_list l LEFT JOIN archival_listed_value v ON v.list = l.id
GROUP BY l.id
