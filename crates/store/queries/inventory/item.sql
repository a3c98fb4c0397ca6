-- An item in mod-inventory's form (docs/folio/inventory-business.md#items-with-names), over the row r of item: ids
-- resolved to names, with data of its holdings record and instance.
jsonb_strip_nulls(
  (r.doc || r.state) - '{materialTypeId,permanentLoanTypeId,temporaryLoanTypeId,permanentLocationId,
                         temporaryLocationId,effectiveLocationId}'::text[]
  || jsonb_build_object(
    'tags', coalesce(r.doc->'tags', '{"tagList": []}'),
    'materialType', (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name')
                     FROM material_type t WHERE t.id = r.materialtypeid),
    'permanentLoanType', (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name')
                          FROM loan_type t WHERE t.id = r.permanentloantypeid),
    'temporaryLoanType', (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name')
                          FROM loan_type t WHERE t.id = r.temporaryloantypeid),
    'permanentLocation', (SELECT jsonb_build_object('id', l.id, 'name', l.doc->'name')
                          FROM location l WHERE l.id = r.permanentlocationid),
    'temporaryLocation', (SELECT jsonb_build_object('id', l.id, 'name', l.doc->'name')
                          FROM location l WHERE l.id = r.temporarylocationid),
    'effectiveLocation', (SELECT jsonb_build_object('id', l.id, 'name', l.doc->'name')
                          FROM location l WHERE l.id = r.effectivelocationid))
  || (SELECT jsonb_build_object(
        'title', i.doc->'title', 'callNumber', h.doc->'callNumber',
        'contributorNames', coalesce((SELECT jsonb_agg(jsonb_build_object('name', contributor->'name'))
                                      FROM jsonb_array_elements(i.doc->'contributors') AS contributor), '[]'))
      FROM holdings_record h JOIN instance i ON i.id = h.instanceid WHERE h.id = r.holdingsrecordid)
  || (SELECT jsonb_build_object(
        'isBoundWith', count(*) > 0,
        'boundWithTitles', jsonb_agg(jsonb_build_object(
          'briefHoldingsRecord', jsonb_build_object('id', h.id, 'hrid', h.doc->'hrid'),
          'briefInstance', jsonb_build_object('id', i.id, 'hrid', i.doc->'hrid', 'title', i.doc->'title'))
          ORDER BY part.seq))
      FROM bound_with_part part JOIN holdings_record h ON h.id = part.holdingsrecordid
      JOIN instance i ON i.id = h.instanceid WHERE part.itemid = r.id))
