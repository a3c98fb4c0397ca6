-- How many instances have links to each of some authorities, in the order asked for. $1 ids.
SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'totalLinks', c.number) ORDER BY c.place), '[]')
FROM (SELECT asked.id, min(asked.place) AS place,
             (SELECT count(DISTINCT l.instance) FROM authority_link l WHERE l.authority = asked.id) AS number
      FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) GROUP BY asked.id) c
