-- Instances with their holdings and items for harvesters, with ids resolved to names
-- (docs/folio/inventory-links-and-views.md#holdings-and-items-for-harvesters).

CREATE OR REPLACE FUNCTION suppressed(doc jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((doc->>'discoverySuppress')::boolean, false)
$$;

-- Empty for no location and for an inactive one.
CREATE OR REPLACE FUNCTION harvested_location(location_id uuid) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT jsonb_build_object(
      'id', l.id, 'name', coalesce(l.doc->'discoveryDisplayName', l.doc->'name'), 'locationName', l.doc->'name',
      'code', l.doc->'code', 'institutionName', i.doc->'name',
      'campusName', c.doc->'name', 'libraryName', b.doc->'name', 'libraryCode', b.doc->'code')
    FROM location l JOIN locinstitution i ON i.id = l.institutionid JOIN loccampus c ON c.id = l.campusid
    JOIN loclibrary b ON b.id = l.libraryid
    WHERE l.id = location_id AND (l.doc->>'isActive')::boolean), '{}')
$$;

CREATE OR REPLACE FUNCTION harvested_access(accesses jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(access || jsonb_build_object('name', kind.doc->'name') ORDER BY place), '[]')
  FROM jsonb_array_elements(accesses) WITH ORDINALITY AS a (access, place)
  LEFT JOIN electronic_access_relationship kind ON kind.id::text = access->>'relationshipId'
$$;

CREATE OR REPLACE FUNCTION harvested_codes(ids jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'id', code.id, 'code', code.doc->'code', 'name', code.doc->'name', 'source', kind.doc->'source',
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

CREATE OR REPLACE FUNCTION harvested_holdings(h holdings_record, instance_suppressed boolean) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (h.doc - '{hrid,_version,metadata,instanceId,sourceId,administrativeNotes,additionalCallNumbers,
                    permanentLocationId,temporaryLocationId,effectiveLocationId,holdingsTypeId,illPolicyId,
                    callNumberTypeId,callNumberPrefix,callNumberSuffix,discoverySuppress,statisticalCodeIds}'::text[])
    || jsonb_build_object(
      'suppressFromDiscovery', instance_suppressed OR suppressed(h.doc),
      'holdingsType', (SELECT t.doc->'name' FROM holdings_type t WHERE t.id = h.holdingstypeid),
      'location', jsonb_build_object(
        'permanentLocation', harvested_location(h.permanentlocationid),
        'temporaryLocation', harvested_location(h.temporarylocationid),
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
  SELECT (i.doc - '{hrid,order,administrativeNotes,circulationNotes,additionalCallNumbers,discoverySuppress,
                    statisticalCodeIds,materialTypeId,permanentLoanTypeId,temporaryLoanTypeId,permanentLocationId,
                    temporaryLocationId,effectiveLocationId,effectiveCallNumberComponents,effectiveShelvingOrder,
                    itemLevelCallNumber,itemLevelCallNumberPrefix,itemLevelCallNumberSuffix,
                    itemLevelCallNumberTypeId,itemDamagedStatusId,purchaseOrderLineIdentifier}'::text[])
    || jsonb_build_object(
      'status', i.state#>'{status,name}',
      'suppressFromDiscovery', instance_suppressed OR suppressed(holdings.doc) OR suppressed(i.doc),
      'location', jsonb_build_object(
        'location', harvested_location(i.effectivelocationid),
        'permanentLocation', harvested_location(i.permanentlocationid),
        'temporaryLocation', harvested_location(i.temporarylocationid)),
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

-- Instances changed from `from_date` to `until_date` (in stored form), with the date of the last change: with `with_deleted` also
-- deleted ones; with `skip_suppressed` without those suppressed from discovery; unless `alone` also those whose holdings or items
-- changed or were deleted; only of the source if it is not null.
CREATE OR REPLACE FUNCTION changed_instances(
  from_date text, until_date text, with_deleted boolean, skip_suppressed boolean, alone boolean, of_source text)
RETURNS TABLE (id uuid, source text, updated text, suppressed boolean, deleted boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH changed AS (
    SELECT i.id, i.doc#>>'{metadata,updatedDate}' AS date FROM instance i
    WHERE carrel.fold(i.doc#>>'{metadata,updatedDate}') COLLATE "C" BETWEEN carrel.fold(from_date) AND carrel.fold(until_date)
    UNION ALL
    SELECT h.instanceid, h.doc#>>'{metadata,updatedDate}' FROM holdings_record h
    WHERE NOT alone
      AND carrel.fold(h.doc#>>'{metadata,updatedDate}') COLLATE "C" BETWEEN carrel.fold(from_date) AND carrel.fold(until_date)
    UNION ALL
    SELECT h.instanceid, it.state#>>'{metadata,updatedDate}'
    FROM item_record it JOIN holdings_record h ON h.id = it.holdingsrecordid
    WHERE NOT alone AND it.state#>>'{metadata,updatedDate}' BETWEEN from_date AND until_date
    UNION ALL
    SELECT d.instance_id, carrel.stored_moment(d.deleted)
    FROM deleted_content d
    WHERE NOT alone AND d.deleted BETWEEN from_date::timestamptz AND until_date::timestamptz)
  SELECT i.id, i.doc->>'source', max(changed.date), suppressed(i.doc), false
  FROM changed JOIN instance i ON i.id = changed.id
  WHERE (of_source IS NULL OR i.doc->>'source' = of_source) AND NOT (skip_suppressed AND suppressed(i.doc))
  GROUP BY i.id
  UNION ALL
  SELECT d.id, d.source, carrel.stored_moment(d.deleted), false, true
  FROM deleted_instance d
  WHERE with_deleted AND d.deleted BETWEEN from_date::timestamptz AND until_date::timestamptz
    AND (of_source IS NULL OR d.source = of_source)
$$;

-- A stored date as mod-inventory-storage's harvests print it, as Java's OffsetDateTime does: without zeros at its end.
CREATE OR REPLACE FUNCTION harvested_date(stored text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(stored, '((:00)?\.000)?\+00:00$', 'Z')
$$;

-- An item at a place as /oai-pmh-view has it.
CREATE OR REPLACE FUNCTION oai_item(i item_record, holdings holdings_record, place location, instance_suppressed boolean) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object(
    'id', i.id, 'holdingsRecordId', holdings.id, 'callNumber', i.doc->'effectiveCallNumberComponents' || jsonb_build_object(
      'typeName', (SELECT t.doc->'name' FROM call_number_type t WHERE t.id = i.effectivecallnumbercomponents_typeid)),
    'location', (
      SELECT jsonb_build_object('name', coalesce(place.doc->'discoveryDisplayName', place.doc->'name'), 'location',
        jsonb_build_object('institutionId', n.id, 'institutionName', n.doc->'name', 'campusId', c.id, 'campusName', c.doc->'name',
          'libraryId', b.id, 'libraryName', b.doc->'name'))
      FROM locinstitution n, loccampus c, loclibrary b
      WHERE n.id = place.institutionid AND c.id = place.campusid AND b.id = place.libraryid),
    'volume', i.doc->'volume', 'enumeration', i.doc->'enumeration', 'chronology', i.doc->'chronology',
    'copyNumber', i.doc->'copyNumber', 'barcode', i.doc->'barcode',
    'materialType', (SELECT t.doc->'name' FROM material_type t WHERE t.id = i.materialtypeid),
    'electronicAccess', nullif(harvested_access(
      coalesce(i.doc->'electronicAccess', '[]') || coalesce(holdings.doc->'electronicAccess', '[]')), '[]'),
    'suppressFromDiscovery', instance_suppressed OR suppressed(holdings.doc) OR suppressed(i.doc),
    'notes', nullif(harvested_item_notes(i.doc->'notes'), '[]'))
$$;

-- The items of an instance as /oai-pmh-view has them, those at an inactive location left out; null if there are none. With
-- `skip_suppressed` without those suppressed from discovery.
CREATE OR REPLACE FUNCTION oai_items(instance_id uuid, skip_suppressed boolean, instance_suppressed boolean) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_agg(oai_item(i, h, l, instance_suppressed) ORDER BY i.seq)
  FROM holdings_record h JOIN item_record i ON i.holdingsrecordid = h.id JOIN location l ON l.id = i.effectivelocationid
  WHERE h.instanceid = instance_id AND (l.doc->>'isActive')::boolean
    AND NOT (skip_suppressed AND (suppressed(h.doc) OR suppressed(i.doc)))
$$;
