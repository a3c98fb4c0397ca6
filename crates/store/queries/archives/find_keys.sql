-- Those of some keys that records have: the place in the list from 1, and the record's address. $1 scopes, $2 values.
SELECT a.place, archival_uri(r.kind, r.repository, r.id) AS uri
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a (scope, value, place)
JOIN archival_key k ON k.scope = a.scope AND k.value = a.value
JOIN archival_record r ON r.kind = k.kind AND r.id = k.id
ORDER BY a.place
