-- The record with this name in addresses, or with its cleaned form, of the first of some types that has one. $1 the name, $2
-- the cleaned form, $3 types in their order.
SELECT r.kind, r.id, r.repository
FROM archival_record r
WHERE r.doc ? 'slug' AND r.doc->>'slug' IN ($1, $2) AND r.kind = ANY ($3::text[])
ORDER BY array_position($3::text[], r.kind), r.id LIMIT 1
