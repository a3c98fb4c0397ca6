-- Instances with their holdings and items for harvesters, with ids resolved to names
-- (docs/folio/inventory-links-and-views.md#holdings-and-items-for-harvesters).

CREATE OR REPLACE FUNCTION harvested_location(location_id uuid) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object(
    'id', l.id, 'name', coalesce(l.doc->'discoveryDisplayName', l.doc->'name'), 'locationName', l.doc->'name',
    'code', l.doc->'code', 'isActive', l.doc->'isActive', 'institutionName', i.doc->'name',
    'campusName', c.doc->'name', 'libraryName', b.doc->'name', 'libraryCode', b.doc->'code')
  FROM location l JOIN locinstitution i ON i.id = l.institutionid JOIN loccampus c ON c.id = l.campusid
  JOIN loclibrary b ON b.id = l.libraryid
  WHERE l.id = location_id
$$;

CREATE OR REPLACE FUNCTION harvested_access(accesses jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(access || jsonb_build_object('name', kind.doc->'name') ORDER BY place), '[]')
  FROM jsonb_array_elements(accesses) WITH ORDINALITY AS a (access, place)
  LEFT JOIN electronic_access_relationship kind ON kind.id::text = access->>'relationshipId'
$$;

CREATE OR REPLACE FUNCTION harvested_codes(ids jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'id', code.id, 'code', code.doc->'code', 'name', code.doc->'name', 'source', code.doc->'source',
           'statisticalCodeType', kind.doc->'name') ORDER BY place), '[]')
  FROM jsonb_array_elements_text(ids) WITH ORDINALITY AS c (id, place)
  JOIN statistical_code code ON code.id::text = c.id
  JOIN statistical_code_type kind ON kind.id = code.statisticalcodetypeid
$$;

-- Public notes, with the names of their types.
CREATE OR REPLACE FUNCTION harvested_holdings_notes(notes jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('holdingsNoteTypeName', kind.doc->'name', 'note', note->'note')
                            ORDER BY place), '[]')
  FROM jsonb_array_elements(notes) WITH ORDINALITY AS n (note, place)
  LEFT JOIN holdings_note_type kind ON kind.id::text = note->>'holdingsNoteTypeId'
  WHERE NOT coalesce((note->>'staffOnly')::boolean, false)
$$;

CREATE OR REPLACE FUNCTION harvested_item_notes(notes jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('itemNoteTypeName', kind.doc->'name', 'note', note->'note')
                            ORDER BY place), '[]')
  FROM jsonb_array_elements(notes) WITH ORDINALITY AS n (note, place)
  LEFT JOIN item_note_type kind ON kind.id::text = note->>'itemNoteTypeId'
  WHERE NOT coalesce((note->>'staffOnly')::boolean, false)
$$;

CREATE OR REPLACE FUNCTION suppressed(doc jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((doc->>'discoverySuppress')::boolean, false)
$$;

CREATE OR REPLACE FUNCTION harvested_holdings(h holdings_record, instance_suppressed boolean) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (h.doc - '{hrid,_version,metadata,instanceId,sourceId,administrativeNotes,additionalCallNumbers,
                    permanentLocationId,temporaryLocationId,effectiveLocationId,holdingsTypeId,illPolicyId,
                    callNumberTypeId,callNumberPrefix,callNumberSuffix,discoverySuppress,statisticalCodeIds}'::text[])
    || jsonb_build_object(
      'hrId', h.doc->'hrid', 'suppressFromDiscovery', instance_suppressed OR suppressed(h.doc),
      'holdingsType', (SELECT t.doc->'name' FROM holdings_type t WHERE t.id = h.holdingstypeid),
      'location', jsonb_build_object(
        'permanentLocation', harvested_location(h.permanentlocationid),
        'temporaryLocation', coalesce(harvested_location(h.temporarylocationid), '{}'),
        'effectiveLocation', harvested_location(h.effectivelocationid)),
      'callNumber', jsonb_build_object(
        'prefix', h.doc->'callNumberPrefix', 'callNumber', h.doc->'callNumber', 'suffix', h.doc->'callNumberSuffix',
        'typeId', h.doc->'callNumberTypeId',
        'typeName', (SELECT t.doc->'name' FROM call_number_type t WHERE t.id = h.callnumbertypeid)),
      'illPolicy', (SELECT p.doc->'name' FROM ill_policy p WHERE p.id = h.illpolicyid),
      'electronicAccess', harvested_access(h.doc->'electronicAccess'),
      'notes', harvested_holdings_notes(h.doc->'notes'),
      'statisticalCodes', harvested_codes(h.doc->'statisticalCodeIds'))
$$;

CREATE OR REPLACE FUNCTION harvested_item(i item_record, holdings holdings_record, instance_suppressed boolean) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (i.doc - '{hrid,administrativeNotes,circulationNotes,additionalCallNumbers,discoverySuppress,
                    statisticalCodeIds,materialTypeId,permanentLoanTypeId,temporaryLoanTypeId,permanentLocationId,
                    temporaryLocationId,effectiveLocationId,effectiveCallNumberComponents,effectiveShelvingOrder,
                    itemLevelCallNumber,itemLevelCallNumberPrefix,itemLevelCallNumberSuffix,
                    itemLevelCallNumberTypeId,itemDamagedStatusId,purchaseOrderLineIdentifier}'::text[])
    || jsonb_build_object(
      'hrId', i.doc->'hrid', 'holdingsRecordId', holdings.id, 'status', i.state#>'{status,name}',
      'suppressFromDiscovery', instance_suppressed OR suppressed(holdings.doc) OR suppressed(i.doc),
      'location', jsonb_build_object(
        'location', harvested_location(i.effectivelocationid),
        'permanentLocation', coalesce(harvested_location(i.permanentlocationid), '{}'),
        'temporaryLocation', coalesce(harvested_location(i.temporarylocationid), '{}')),
      'callNumber', (i.doc->'effectiveCallNumberComponents') || jsonb_build_object(
        'typeName', (SELECT t.doc->'name' FROM call_number_type t
                     WHERE t.id = i.effectivecallnumbercomponents_typeid)),
      'itemDamagedStatus', (SELECT s.doc->'name' FROM item_damaged_status s
                            WHERE s.id::text = i.doc->>'itemDamagedStatusId'),
      'materialType', (SELECT t.doc->'name' FROM material_type t WHERE t.id = i.materialtypeid),
      'materialTypeId', i.doc->'materialTypeId',
      'permanentLoanType', (SELECT t.doc->'name' FROM loan_type t WHERE t.id = i.permanentloantypeid),
      'temporaryLoanType', (SELECT t.doc->'name' FROM loan_type t WHERE t.id = i.temporaryloantypeid),
      'electronicAccess', harvested_access(i.doc->'electronicAccess'),
      'notes', harvested_item_notes(i.doc->'notes'),
      'statisticalCodes', harvested_codes(i.doc->'statisticalCodeIds'))
$$;
