-- An item in mod-inventory's form (docs/folio/inventory-business.md#items-with-names), over the row r of item: ids
-- resolved to names, with data of its holdings record and instance. What few items have is read by functions in PL/pgSQL; and not
-- with EXISTS, for which PostgreSQL may read a table once instead of looking in its index.
jsonb_strip_nulls(
  (r.doc || r.state) - '{materialTypeId,permanentLoanTypeId,temporaryLoanTypeId,permanentLocationId,
                         temporaryLocationId,effectiveLocationId}'::text[]
  || jsonb_build_object(
    'tags', coalesce(r.doc->'tags', '{"tagList": []}'),
    'materialType', (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name')
                     FROM material_type t WHERE t.id = r.materialtypeid),
    'permanentLoanType', (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name')
                          FROM loan_type t WHERE t.id = r.permanentloantypeid),
    'temporaryLoanType', CASE WHEN r.temporaryloantypeid IS NOT NULL THEN named_loan_type(r.temporaryloantypeid) END,
    'permanentLocation', CASE WHEN r.permanentlocationid IS NOT NULL THEN named_location(r.permanentlocationid) END,
    'temporaryLocation', CASE WHEN r.temporarylocationid IS NOT NULL THEN named_location(r.temporarylocationid) END,
    'effectiveLocation', (SELECT jsonb_build_object('id', l.id, 'name', l.doc->'name')
                          FROM location l WHERE l.id = r.effectivelocationid))
  || (SELECT jsonb_build_object(
        'title', i.doc->'title', 'callNumber', h.doc->'callNumber',
        'contributorNames', coalesce((SELECT jsonb_agg(jsonb_build_object('name', contributor->'name'))
                                      FROM jsonb_array_elements(i.doc->'contributors') AS contributor), '[]'))
      FROM holdings_record h JOIN instance i ON i.id = h.instanceid WHERE h.id = r.holdingsrecordid)
  || CASE WHEN (SELECT part.id FROM bound_with_part part WHERE part.itemid = r.id LIMIT 1) IS NULL
       THEN '{"isBoundWith": false}' ELSE bound_with(r.id) END)
