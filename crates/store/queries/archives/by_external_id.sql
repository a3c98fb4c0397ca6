-- The addresses of records with an identifier of another system. $1 the identifier as a list of the member, $2 kinds or null,
-- $3 whether suppressed records are shown, $4 how many.
SELECT archival_uri(r.kind, r.repository, r.id) AS uri
FROM archival_record r
WHERE r.doc->'external_ids' <> '[]' AND r.doc->'external_ids' @> $1::jsonb
  AND ($2::text[] IS NULL OR r.kind = ANY ($2)) AND ($3::boolean OR NOT r.suppressed)
ORDER BY r.kind, r.id LIMIT $4::bigint
