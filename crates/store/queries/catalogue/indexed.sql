-- Instances (kind 0), their holdings (1), and their items (2), also items bound with their holdings, for their documents: one row for
-- each record, an instance before what belongs to it. $1 the instances. Records are sent as they are: PostgreSQL takes as long
-- to put them together as to read them.
WITH asked AS MATERIALIZED (SELECT a.id, a.place FROM unnest($1::uuid[]) WITH ORDINALITY AS a (id, place)),
holdings AS MATERIALIZED (
  SELECT a.place, h.id, h.seq, h.doc FROM asked a JOIN holdings_record h ON h.instanceid = a.id),
bound AS MATERIALIZED (
  SELECT DISTINCT h.place, part.itemid
  FROM holdings h CROSS JOIN LATERAL (
    SELECT p.itemid FROM bound_with_part p WHERE p.holdingsrecordid = h.id OFFSET 0) part)
SELECT a.place, 0 AS kind, 0::bigint AS seq, r.doc, NULL::jsonb AS state,
       a.place IN (SELECT bound.place FROM bound) AS is_bound_with
FROM asked a JOIN instance r ON r.id = a.id
UNION ALL
SELECT h.place, 1, h.seq, h.doc, NULL, NULL FROM holdings h
UNION ALL
SELECT h.place, 2, i.seq, i.doc, i.state, NULL FROM holdings h JOIN item_record i ON i.holdingsrecordid = h.id
UNION ALL
SELECT b.place, 2, i.seq, i.doc, i.state, NULL
FROM bound b JOIN item_record i ON i.id = b.itemid
WHERE (b.place, i.holdingsrecordid) NOT IN (SELECT h.place, h.id FROM holdings h)
ORDER BY 1, 2, 3
