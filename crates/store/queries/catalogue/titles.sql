-- Instances with their holdings and items, also items bound with their holdings, in the order asked for. $1 ids.
SELECT jsonb_build_object(
  'id', r.id, 'instance', r.doc,
  'isBoundWith', (
    SELECT true FROM holdings_record h JOIN bound_with_part part ON part.holdingsrecordid = h.id
    WHERE h.instanceid = r.id LIMIT 1) IS NOT NULL,
  'holdings', (
    SELECT coalesce(jsonb_agg(h.doc ORDER BY h.seq), '[]') FROM holdings_record h WHERE h.instanceid = r.id),
  'items', (
    SELECT coalesce(jsonb_agg(i.doc || i.state ORDER BY i.seq), '[]') FROM item_record i
    WHERE i.id IN (
      SELECT own.id FROM item own JOIN holdings_record h ON h.id = own.holdingsrecordid WHERE h.instanceid = r.id
      UNION
      SELECT part.itemid FROM bound_with_part part JOIN holdings_record h ON h.id = part.holdingsrecordid
      WHERE h.instanceid = r.id)))
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) JOIN instance r ON r.id = asked.id
ORDER BY asked.place
