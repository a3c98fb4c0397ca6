-- Deletes archived authorities that were deleted before a moment. $1 it, as records have it.
DELETE FROM authority_archive o
WHERE carrel.folded_key(o.doc->'metadata'->>'updatedDate') COLLATE "C" < lower($1::text) COLLATE "C"
  AND NOT starts_with(o.doc->>'source', 'CONSORTIUM-')
