-- The same as records_with_text.sql, held until the end of the transaction, so that nobody changes what is read. $1 the text as
-- jsonb writes it, $2 and $3 after which record, $4 how many.
SELECT r.kind, r.id, r.repository, r.root, r.parent, r.doc
FROM archival_record r
WHERE (r.kind, r.id) > ($2::text, $3::bigint) AND strpos(r.doc::text, $1::text) > 0
ORDER BY r.kind, r.id LIMIT $4::bigint FOR NO KEY UPDATE
