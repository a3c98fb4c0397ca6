-- What a print event is checked by: the settings of the feature, and how many of the requests there are.
-- $1 ids of requests.
SELECT coalesce((SELECT json_agg(doc->'value') FROM circulation_settings
                 WHERE (left((doc->>'name'), 600) COLLATE "C") = 'printEventLogFeature'), '[]')::text,
       (SELECT count(*) FROM request WHERE id = ANY($1))
