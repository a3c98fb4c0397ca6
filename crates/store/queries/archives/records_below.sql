-- A record and all below it. $1 kind, $2 id.
SELECT s.kind, s.id FROM archival_subtree($1, $2) s ORDER BY s.kind, s.id
