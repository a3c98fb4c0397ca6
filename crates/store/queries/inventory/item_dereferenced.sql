-- An item with all records it refers to in full (GET /item-storage-dereferenced/items), over the row r of item.
jsonb_strip_nulls(
  (r.doc || r.state) - '{materialTypeId,permanentLoanTypeId,temporaryLoanTypeId,permanentLocationId,
                         temporaryLocationId,effectiveLocationId,holdingsRecordId}'::text[]
  || jsonb_build_object(
    'materialType', (SELECT t.doc FROM material_type t WHERE t.id = r.materialtypeid),
    'permanentLoanType', (SELECT t.doc FROM loan_type t WHERE t.id = r.permanentloantypeid),
    'temporaryLoanType', (SELECT t.doc FROM loan_type t WHERE t.id = r.temporaryloantypeid),
    'permanentLocation', (SELECT l.doc FROM location l WHERE l.id = r.permanentlocationid),
    'temporaryLocation', (SELECT l.doc FROM location l WHERE l.id = r.temporarylocationid),
    'effectiveLocation', (SELECT l.doc FROM location l WHERE l.id = r.effectivelocationid))
  || (SELECT jsonb_build_object('holdingsRecord', h.doc, 'instanceRecord', i.doc)
      FROM holdings_record h JOIN instance i ON i.id = h.instanceid WHERE h.id = r.holdingsrecordid))
