-- Components of a repository by number, and by their identifier. $1 repository, $2 ids, $3 identifiers.
SELECT r.id, coalesce(r.doc->>'ref_id', '') AS ref_id, coalesce(r.doc->>'display_string', '') AS display, r.root
FROM archival_record r WHERE r.kind = 'archival_object' AND r.repository = $1 AND r.id = ANY ($2::bigint[])
UNION
SELECT r.id, r.doc->>'ref_id', coalesce(r.doc->>'display_string', ''), r.root
FROM archival_record r
WHERE r.kind = 'archival_object' AND r.repository = $1 AND r.doc->>'ref_id' = ANY ($3::text[])
ORDER BY 1
