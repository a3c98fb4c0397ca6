-- When a record changed that harvesters may see. $1 kind, $2 id, $3 its repository.
SELECT r.system_mtime
FROM archival_record r
JOIN archival_offered_repositories() o ON o.id = r.repository
WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3 AND r.publish AND NOT r.suppressed
  AND (NOT o.restricted OR r.doc->>'level' = ANY (o.levels))
  AND archival_is_within_published(r.kind, r.parent, r.root_kind, r.root)
