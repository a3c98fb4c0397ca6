-- The nodes of a tree, depth first, as far as a finding aid needs them. $1 kind of the nodes, $2 top of the tree. Each
-- record is fetched when its turn comes (a limit within LATERAL leaves PostgreSQL no other plan), so that the records of a
-- large tree are not sorted. Its address stands beside it: putting it in takes longer than all the rest.
SELECT w.depth, n.doc AS record, archival_uri(n.kind, n.repository, n.id) AS uri, n.suppressed
FROM archival_walk($1, $2) w
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = $1 AND r.id = w.id LIMIT 1) n
