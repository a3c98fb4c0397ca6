-- Writes keys of imported records in the order of the list. $1 scopes, $2 values, $3 kinds, $4 ids of their records.
INSERT INTO archival_key (scope, value, kind, id)
SELECT a.scope, a.value, a.kind, a.id
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS a (scope, value, kind, id, place)
ORDER BY a.place
