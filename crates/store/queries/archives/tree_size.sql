-- How many nodes a tree has. $1 kind of the nodes, $2 top of the tree.
SELECT count(*) FROM archival_record r WHERE r.kind = $1 AND r.root = $2
