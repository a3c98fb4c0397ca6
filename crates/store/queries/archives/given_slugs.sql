-- The names that people gave records of a type. $1 kind.
SELECT r.doc->>'slug' AS slug FROM archival_record r
WHERE r.kind = $1 AND r.doc->>'slug' <> '' AND r.doc->>'is_slug_auto' = 'false'
