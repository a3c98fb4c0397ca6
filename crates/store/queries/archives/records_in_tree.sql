-- The nodes of a tree as they are stored, depth first. $1 kind of the nodes, $2 top of the tree. As in tree_walk.sql, each record
-- is fetched when its turn comes.
SELECT w.id, n.parent, n.doc
FROM archival_walk($1, $2) w
CROSS JOIN LATERAL (SELECT r.parent, r.doc FROM archival_record r WHERE r.ctid = w.place LIMIT 1) n
