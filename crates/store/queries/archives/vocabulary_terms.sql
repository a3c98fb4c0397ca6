-- All terms of a vocabulary as a GET returns them. $1 its address.
SELECT r.record
FROM (SELECT array_agg(t.kind ORDER BY t.id) AS kinds, array_agg(t.id ORDER BY t.id) AS ids
      FROM archival_record t WHERE t.kind = 'term' AND t.doc->>'vocabulary' = $1) t
CROSS JOIN LATERAL archival_records(t.kinds, t.ids) r
ORDER BY r.place
