-- Open requests to be picked or searched at the locations whose primary service point is $1: of type $2, for an item
-- with a status in $3, or for a title that has holdings there and no item yet.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  (SELECT json_agg(json_build_object('request', r.doc, 'requester', u.doc, 'item', i.doc || i.state, 'instance', t.doc)
                   ORDER BY r.seq)
   FROM request r
   LEFT JOIN item_record i ON i.id = r.open_item
   LEFT JOIN instance t ON t.id = r.instanceid
   LEFT JOIN users u ON u.id = r.requesterid
   WHERE r.open_title IS NOT NULL
     AND r.doc->>'status' = 'Open - Not yet filled' AND r.doc->>'requestType' = $2::text
     AND CASE WHEN r.open_item IS NULL
         THEN r.doc->>'requestLevel' = 'Title' AND EXISTS (
           SELECT FROM holdings_record h JOIN location l ON l.id = h.effectivelocationid
           WHERE h.instanceid = r.open_title AND l.doc->>'primaryServicePoint' = ($1::uuid)::text)
         ELSE i.state#>>'{status,name}' = ANY ($3::text[]) AND EXISTS (
           SELECT FROM location l
           WHERE l.id = i.effectivelocationid AND l.doc->>'primaryServicePoint' = ($1::uuid)::text)
         END) AS reported
