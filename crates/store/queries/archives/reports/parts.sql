-- Sub-reports of records, in the order of the records. $1 kinds, $2 ids, $3 names of the sub-reports, $4 repository, $5 whether
-- suppressed records are among them.
SELECT a.place, n.name, archival_report_part(n.name, a.kind, a.id, $4::bigint, $5::boolean, $3) AS list
FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a (kind, id, place) CROSS JOIN unnest($3::text[]) AS n (name)
ORDER BY a.place
