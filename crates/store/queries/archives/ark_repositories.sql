-- All repositories with what their ARKs begin with.
SELECT r.id, coalesce(r.doc->>'repo_code', '') AS code, coalesce(r.doc->>'ark_shoulder', '') AS shoulder
FROM archival_record r WHERE r.kind = 'repository' ORDER BY r.id
