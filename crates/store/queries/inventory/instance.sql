-- An instance in mod-inventory's form (docs/folio/inventory-business.md#instances-with-links), over the row r of
-- instance, with its parent and child instances, predecessors and successors. A linked title shows the current data of
-- the linked instance.
r.doc || jsonb_build_object(
  'parentInstances', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'superInstanceId', l.superinstanceid,
      'instanceRelationshipTypeId', l.instancerelationshiptypeid) ORDER BY l.seq), '[]')
    FROM instance_relationship l WHERE l.subinstanceid = r.id),
  'childInstances', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'subInstanceId', l.subinstanceid,
      'instanceRelationshipTypeId', l.instancerelationshiptypeid) ORDER BY l.seq), '[]')
    FROM instance_relationship l WHERE l.superinstanceid = r.id),
  'precedingTitles', (
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id,
      'precedingInstanceId', l.precedinginstanceid,
      'title', coalesce(i.doc->'title', l.doc->'title'), 'hrid', coalesce(i.doc->'hrid', l.doc->'hrid'),
      'identifiers', coalesce(i.doc->'identifiers', l.doc->'identifiers', '[]'))) ORDER BY l.seq), '[]')
    FROM preceding_succeeding_title l LEFT JOIN instance i ON i.id = l.precedinginstanceid
    WHERE l.succeedinginstanceid = r.id),
  'succeedingTitles', (
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id,
      'succeedingInstanceId', l.succeedinginstanceid,
      'title', coalesce(i.doc->'title', l.doc->'title'), 'hrid', coalesce(i.doc->'hrid', l.doc->'hrid'),
      'identifiers', coalesce(i.doc->'identifiers', l.doc->'identifiers', '[]'))) ORDER BY l.seq), '[]')
    FROM preceding_succeeding_title l LEFT JOIN instance i ON i.id = l.succeedinginstanceid
    WHERE l.precedinginstanceid = r.id),
  'isBoundWith', (
    SELECT true FROM holdings_record h
    WHERE h.instanceid = r.id AND (
      EXISTS (SELECT FROM bound_with_part part WHERE part.holdingsrecordid = h.id)
      OR EXISTS (SELECT FROM bound_with_part part JOIN item ON item.id = part.itemid WHERE item.holdingsrecordid = h.id))
    LIMIT 1) IS NOT NULL)
