-- Instances ($1) with holdings and items, including items bound with their holdings; with $2, without records
-- suppressed from discovery (POST /inventory-hierarchy/items-and-holdings).
SELECT jsonb_build_object(
  'instanceId', i.id, 'source', coalesce(i.doc->>'source', ''),
  'modeOfIssuance', coalesce((SELECT m.doc->>'name' FROM mode_of_issuance m WHERE m.id = i.modeofissuanceid), ''),
  'natureOfContent', (
    SELECT coalesce(jsonb_agg(DISTINCT term.doc->'name'), '[]')
    FROM jsonb_array_elements_text(i.doc->'natureOfContentTermIds') AS n (id)
    JOIN nature_of_content_term term ON term.id::text = n.id),
  'holdings', (
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(harvested_holdings(h, suppressed(i.doc))) ORDER BY h.id), '[]')
    FROM holdings_record h WHERE h.instanceid = i.id AND NOT ($2 AND suppressed(h.doc))),
  'items', (
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(harvested_item(it, h, suppressed(i.doc))) ORDER BY it.id), '[]')
    FROM (SELECT DISTINCT ON (linked.item_id) linked.item_id, linked.holdings_id
          FROM (SELECT it.id AS item_id, h.id AS holdings_id, 0 AS bound
                FROM holdings_record h JOIN item it ON it.holdingsrecordid = h.id WHERE h.instanceid = i.id
                UNION ALL
                SELECT part.itemid, h.id, 1
                FROM holdings_record h JOIN bound_with_part part ON part.holdingsrecordid = h.id
                WHERE h.instanceid = i.id) AS linked
          ORDER BY linked.item_id, linked.bound) AS found
    JOIN item_record it ON it.id = found.item_id JOIN holdings_record h ON h.id = found.holdings_id
    WHERE NOT ($2 AND (suppressed(h.doc) OR suppressed(it.doc)))))::text
FROM (SELECT id, min(place) AS place FROM unnest($1::uuid[]) WITH ORDINALITY AS a (id, place) GROUP BY 1) asked
  JOIN instance i ON i.id = asked.id
ORDER BY asked.place
