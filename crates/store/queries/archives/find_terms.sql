-- The first terms that begin with a text, whatever its case, and how many do. $1 the text, $2 how many.
WITH found AS (
  SELECT r.id FROM archival_record r
  WHERE r.kind = 'term' AND lower(r.doc->>'term') COLLATE "C" >= lower($1)
    AND lower(r.doc->>'term') COLLATE "C" < lower($1) || chr(1114111)),
first AS (
  SELECT array_agg('term'::text) AS kinds, array_agg(f.id ORDER BY f.id) AS ids
  FROM (SELECT f.id FROM found f ORDER BY f.id LIMIT $2::bigint) f)
SELECT (SELECT count(*) FROM found) AS total,
       coalesce((SELECT jsonb_agg(r.record ORDER BY r.place)
                 FROM archival_records(first.kinds, first.ids) r), '[]') AS records
FROM first
