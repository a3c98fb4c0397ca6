-- Records whose notes have the prefix that `ns2_remover_job` takes away. $1 kinds.
SELECT r.kind, r.id FROM archival_record r
WHERE r.kind = ANY ($1::text[]) AND (r.doc->'notes')::text LIKE '% ns2:%' ORDER BY r.kind, r.id
