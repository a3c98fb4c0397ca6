-- Instances ($1) with their items; with $2, without records suppressed from discovery (POST /oai-pmh-view/enrichedInstances).
SELECT json_build_object('instanceid', asked.id, 'itemsandholdingsfields', CASE WHEN found.items IS NULL THEN '""' ELSE
  jsonb_build_object('instanceid', asked.id, 'items', found.items) END)::text
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) CROSS JOIN LATERAL (SELECT oai_items(asked.id, $2, false) AS items) found
ORDER BY asked.place
