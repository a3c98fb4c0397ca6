-- The nodes of a tree, depth first, as far as a finding aid needs them. $1 kind of the nodes, $2 top of the tree. Each
-- record is fetched when its turn comes (a limit within LATERAL leaves PostgreSQL no other plan), so that the records of a
-- large tree are not sorted. Its address is left to the reader: putting it in takes longer than all the rest.
SELECT w.depth, n.doc AS record, n.id, n.suppressed
FROM archival_walk($1, $2) w
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.ctid = w.place LIMIT 1) n
