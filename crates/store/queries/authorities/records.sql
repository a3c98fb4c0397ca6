-- Authorities, those that are there. $1 ids.
SELECT a.id, a.doc FROM unnest($1::uuid[]) AS asked (id) JOIN authority a ON a.id = asked.id
