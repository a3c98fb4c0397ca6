-- An instance with its holdings and items
-- (docs/folio/inventory-links-and-views.md#instances-with-all-that-belongs-to-them), over the row r of instance.
-- {bound} is the condition under which items bound with these holdings are shown.
json_build_object(
  'instanceId', r.id, 'instance', r.doc,
  'isBoundWith', (
    SELECT true FROM holdings_record h JOIN bound_with_part part ON part.holdingsrecordid = h.id
    WHERE h.instanceid = r.id LIMIT 1) IS NOT NULL,
  'holdingsRecords', (
    SELECT coalesce(json_agg(h.doc ORDER BY h.seq), '[]') FROM holdings_record h WHERE h.instanceid = r.id),
  'items', (
    SELECT coalesce(json_agg(i.doc || i.state ORDER BY i.seq), '[]') FROM item_record i
    WHERE i.id IN (
      SELECT own.id FROM item own JOIN holdings_record h ON h.id = own.holdingsrecordid WHERE h.instanceid = r.id
      UNION
      SELECT part.itemid FROM bound_with_part part JOIN holdings_record h ON h.id = part.holdingsrecordid
      WHERE {bound} AND h.instanceid = r.id)))
