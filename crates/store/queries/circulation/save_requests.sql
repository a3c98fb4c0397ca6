-- Writes several requests, all or none. $1 the requests; positions are checked at the end of the transaction.
INSERT INTO request (id, doc)
SELECT (new.doc->>'id')::uuid, new.doc FROM unnest($1::jsonb[]) AS new (doc)
ON CONFLICT (id) DO UPDATE SET doc = excluded.doc
