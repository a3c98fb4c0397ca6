-- The titles of instances, by their ids. $1 ids.
SELECT coalesce(jsonb_object_agg(i.id, i.doc->>'title'), '{}') FROM instance i WHERE i.id = ANY ($1::uuid[])
