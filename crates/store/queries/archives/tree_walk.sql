-- The nodes of a tree, depth first, as far as a finding aid needs them. $1 kind of the nodes, $2 top of the tree. Each
-- record is fetched when its turn comes (a limit within LATERAL leaves PostgreSQL no other plan), so that the records of a
-- large tree are not sorted. Its address stands beside it: putting it in takes longer than all the rest. It is written out
-- here, because the function that knows all types takes a third of the time.
SELECT w.depth, n.doc AS record, '/repositories/' || n.repository || '/' || $1 || 's/' || n.id AS uri, n.suppressed
FROM archival_walk($1, $2) w
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = $1 AND r.id = w.id LIMIT 1) n
