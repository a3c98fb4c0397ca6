-- The nodes of a tree, depth first, as far as a finding aid needs them. $1 kind of the nodes, $2 top of the tree. Each
-- record is fetched when its turn comes (a limit within LATERAL leaves PostgreSQL no other plan), so that the records of a
-- large tree are not sorted.
SELECT w.depth, n.record
FROM archival_walk($1, $2) w
CROSS JOIN LATERAL (
  SELECT r.doc || jsonb_build_object(
    'uri', archival_uri(r.kind, r.repository, r.id), 'suppressed', r.suppressed) AS record
  FROM archival_record r WHERE r.kind = $1 AND r.id = w.id LIMIT 1) n
