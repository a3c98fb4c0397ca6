-- Of instances and their items, also items bound with their holdings, what lists of search results show, in the order asked
-- for (`catalogue::brief`). $1 ids.
SELECT json_build_object(
  'id', r.id, 'title', of.title, 'contributors', of.contributors, 'dates', of.dates, 'publication', of.publication,
  'staffSuppress', of."staffSuppress", 'discoverySuppress', of."discoverySuppress",
  'isBoundWith', (
    SELECT true FROM holdings_record h JOIN bound_with_part part ON part.holdingsrecordid = h.id
    WHERE h.instanceid = r.id LIMIT 1) IS NOT NULL,
  'items', (
    SELECT json_agg(json_build_object('effectiveCallNumberComponents', i.doc -> 'effectiveCallNumberComponents')
                    ORDER BY i.seq)
    FROM item i
    WHERE i.id IN (
      SELECT own.id FROM item own JOIN holdings_record h ON h.id = own.holdingsrecordid WHERE h.instanceid = r.id
      UNION
      SELECT part.itemid FROM bound_with_part part JOIN holdings_record h ON h.id = part.holdingsrecordid
      WHERE h.instanceid = r.id))) AS title
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) JOIN instance r ON r.id = asked.id,
  LATERAL jsonb_to_record(r.doc) AS of (
    title jsonb, contributors jsonb, dates jsonb, publication jsonb, "staffSuppress" jsonb, "discoverySuppress" jsonb)
ORDER BY asked.place
