-- Containers of a repository by number. $1 repository, $2 ids.
SELECT r.id, coalesce(r.doc->>'indicator', '') AS indicator
FROM archival_record r WHERE r.kind = 'top_container' AND r.repository = $1 AND r.id = ANY ($2::bigint[]) ORDER BY r.id
