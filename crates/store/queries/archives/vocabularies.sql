-- All vocabularies as a GET returns them, or the one that has an identifier of another system. $1 the identifier, or null.
SELECT r.record
FROM (SELECT array_agg(v.kind ORDER BY v.id) AS kinds, array_agg(v.id ORDER BY v.id) AS ids
      FROM archival_record v WHERE v.kind = 'vocabulary' AND ($1::text IS NULL OR v.doc->>'ref_id' = $1)) v
CROSS JOIN LATERAL archival_records(v.kinds, v.ids) r
ORDER BY r.place
