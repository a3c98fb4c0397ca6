-- The records of a kind that harvesters get next, in the order of their changes. $1 kind, $2 changed from, $3 changed before,
-- $4 and $5 the time and id of the last record that was given, $6 a level, $7 codes of repositories, $8 sponsors of finding
-- aids, each null for all, $9 how many.
SELECT r.id, r.repository, r.system_mtime
FROM archival_record r
JOIN archival_offered_repositories() o ON o.id = r.repository
WHERE r.kind = $1 AND r.publish AND NOT r.suppressed
  AND r.system_mtime >= greatest($2::timestamptz, $4::timestamptz) AND r.system_mtime < $3::timestamptz
  AND (r.system_mtime, r.id) > ($4::timestamptz, $5::bigint)
  AND (NOT o.restricted OR r.doc->>'level' = ANY (o.levels))
  AND ($6::text IS NULL OR r.doc->>'level' = $6)
  AND ($7::text[] IS NULL OR o.code = ANY ($7))
  AND ($8::text[] IS NULL OR EXISTS (
    SELECT FROM archival_record t
    WHERE t.kind = 'resource' AND t.id = coalesce(r.root, r.id) AND t.doc->>'finding_aid_sponsor' = ANY ($8)))
  AND archival_is_within_published(r.kind, r.parent, r.root_kind, r.root)
ORDER BY r.system_mtime, r.id
LIMIT $9::bigint
