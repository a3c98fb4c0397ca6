-- The first and the last date of the components below a record. $1 kind, $2 id, $3 repository, $4 label of the dates that count, or
-- null. Parts of a date that are not given are the first or last ones. No row: there is no such record.
WITH record AS MATERIALIZED (
  SELECT r.* FROM archival_record r WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3),
span AS MATERIALIZED (
  SELECT d->>'begin' AS begin, coalesce(d->>'end', d->>'begin') AS last
  FROM record r
  CROSS JOIN LATERAL archival_subtree(r.kind, r.id) s
  JOIN archival_record n ON n.kind = s.kind AND n.id = s.id
  CROSS JOIN LATERAL jsonb_array_elements(n.doc->'dates') d
  WHERE s.kind = 'archival_object' AND (s.kind, s.id) <> (r.kind, r.id) AND ($4::text IS NULL OR d->>'label' = $4)),
begun AS (
  SELECT s.begin, to_date(s.begin || left('-01-01', 10 - length(s.begin)), 'YYYY-MM-DD') AS day
  FROM span s WHERE s.begin ~ '^[0-9]{4}(-[0-9]{2}){0,2}$'),
ended AS (
  SELECT s.last, CASE length(s.last)
      WHEN 4 THEN to_date(s.last || '-12-31', 'YYYY-MM-DD')
      WHEN 7 THEN (to_date(s.last || '-01', 'YYYY-MM-DD') + interval '1 month' - interval '1 day')::date
      ELSE to_date(s.last, 'YYYY-MM-DD') END AS day
  FROM span s WHERE s.last ~ '^[0-9]{4}(-[0-9]{2}){0,2}$')
SELECT coalesce(r.doc->>'title', r.doc->>'display_string') AS title, t.id AS root, t.doc->>'title' AS root_title,
       b.begin, b.day::text AS begin_day, e.last, e.day::text AS last_day
FROM record r
LEFT JOIN archival_record t ON t.kind = coalesce(r.root_kind, r.kind) AND t.id = coalesce(r.root, r.id)
LEFT JOIN (SELECT begun.* FROM begun ORDER BY begun.day, begun.begin LIMIT 1) b ON true
LEFT JOIN (SELECT ended.* FROM ended ORDER BY ended.day DESC, ended.last DESC LIMIT 1) e ON true
