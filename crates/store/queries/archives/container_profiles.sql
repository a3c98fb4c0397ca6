-- The names and addresses of all container profiles.
SELECT r.doc->>'name' AS name, archival_uri(r.kind, r.repository, r.id) AS uri
FROM archival_record r WHERE r.kind = 'container_profile' ORDER BY r.id
