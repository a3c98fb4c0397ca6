-- The data that a print event is checked against: the feature's settings, and how many of the requests exist. $1 ids of
-- requests.
SELECT coalesce((SELECT json_agg(doc->'value') FROM circulation_settings
                 WHERE carrel.exact_key(doc->>'name') COLLATE "C" = 'printEventLogFeature'), '[]')::text AS settings,
       (SELECT count(*) FROM request WHERE id = ANY($1)) AS requests
