-- The containers of a record and all below it, by their profiles in the order of the containers; without a profile `profile` is null.
-- $1 kind, $2 id, $3 repository. A record without containers has one row without any; no row: there is no such record.
WITH record AS MATERIALIZED (
  SELECT r.* FROM archival_record r WHERE r.kind = $1 AND r.id = $2 AND r.repository = $3),
held AS MATERIALIZED (
  SELECT DISTINCT x.target_id AS id
  FROM record r
  CROSS JOIN LATERAL archival_subtree(r.kind, r.id) s
  JOIN archival_reference x ON x.kind = s.kind AND x.id = s.id AND x.property = 'instances/sub_container/top_container'),
counted AS (
  SELECT p.id, min(h.id) AS first, count(*) AS containers
  FROM held h
  JOIN archival_record c ON c.kind = 'top_container' AND c.id = h.id
  LEFT JOIN archival_record p ON p.kind = 'container_profile'
    AND p.id = substring(c.doc#>>'{container_profile,ref}' FROM '[0-9]+$')::bigint
  GROUP BY p.id)
SELECT coalesce(r.doc->>'title', r.doc->>'display_string') AS title, r.root, t.doc->>'title' AS root_title,
       coalesce(c.containers, 0) AS containers, p.doc AS profile
FROM record r
LEFT JOIN archival_record t ON t.kind = r.root_kind AND t.id = r.root
LEFT JOIN counted c ON true
LEFT JOIN archival_record p ON p.kind = 'container_profile' AND p.id = c.id
ORDER BY c.first
