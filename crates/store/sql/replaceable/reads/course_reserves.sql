-- Course listings, courses and reserves as clients see them (docs/folio/course-reserves.md): with the records that they
-- name, as these are now.

-- Those members of a record that `names` lists.
CREATE OR REPLACE FUNCTION course_members(doc jsonb, names text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_object_agg(m.key, m.value), '{}') FROM jsonb_each(doc) m WHERE m.key = ANY (names));
END $$;

CREATE OR REPLACE FUNCTION course_location(location_id text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT '{"servicePointIds": []}' || course_members(l.doc, ARRAY['id', 'name', 'code', 'description',
    'discoveryDisplayName', 'isActive', 'institutionId', 'campusId', 'libraryId', 'primaryServicePoint',
    'servicePointIds']) FROM location l WHERE l.id = location_id::uuid);
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;

-- The instructors of a listing, in the order in which they were added.
CREATE OR REPLACE FUNCTION course_instructors(listing jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(jsonb_agg(i.doc ORDER BY i.seq), '[]') FROM coursereserves_instructors i
          WHERE i.courselistingid = (listing->>'id')::uuid);
END $$;

CREATE OR REPLACE FUNCTION course_listing(listing jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN listing || jsonb_build_object('instructorObjects', course_instructors(listing));
END $$;

CREATE OR REPLACE FUNCTION expanded_course_listing(listing jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN course_listing(listing) || jsonb_strip_nulls(jsonb_build_object(
    'termObject', (SELECT course_members(t.doc, ARRAY['id', 'name', 'startDate', 'endDate'])
                   FROM coursereserves_terms t WHERE t.id = (listing->>'termId')::uuid),
    'courseTypeObject', (SELECT course_members(t.doc, ARRAY['id', 'name', 'description'])
                         FROM coursereserves_coursetypes t WHERE t.id = (listing->>'courseTypeId')::uuid),
    'locationObject', course_location(listing->>'locationId'),
    'servicepointObject', (
      SELECT '{"staffSlips": []}' || course_members(p.doc, ARRAY['id', 'name', 'code', 'discoveryDisplayName',
        'description', 'shelvingLagTime', 'pickupLocation', 'holdShelfExpiryPeriod', 'staffSlips'])
      FROM service_point p WHERE p.id = (listing->>'servicepointId')::uuid)));
END $$;

CREATE OR REPLACE FUNCTION expanded_course(course jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN course || jsonb_strip_nulls(jsonb_build_object(
    'departmentObject', (SELECT d.doc FROM coursereserves_departments d WHERE d.id = (course->>'departmentId')::uuid),
    'courseListingObject', (SELECT expanded_course_listing(l.doc) FROM coursereserves_courselistings l
                            WHERE l.id = (course->>'courseListingId')::uuid)));
END $$;

CREATE OR REPLACE FUNCTION course_call_number(prefix text, number text, suffix text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN number <> '' THEN concat(prefix, number, suffix) END
$$;

-- What the catalogue says of the item of a reserve; what it said last if the item has gone.
CREATE OR REPLACE FUNCTION copied_item(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT jsonb_strip_nulls(jsonb_build_object(
      'barcode', i.doc->'barcode', 'volume', i.doc->'volume', 'enumeration', i.doc->'enumeration',
      'copy', i.doc->'copyNumber', 'title', n.doc->'title', 'instanceId', n.id, 'instanceHrid', n.doc->'hrid',
      'instanceDiscoverySuppress', coalesce(n.doc->'discoverySuppress', 'false'), 'holdingsId', h.id,
      'uri', coalesce(i.doc#>'{electronicAccess,0,uri}', h.doc#>'{electronicAccess,0,uri}'),
      'url', coalesce(i.doc#>'{electronicAccess,0,publicNote}', h.doc#>'{electronicAccess,0,publicNote}'),
      'permanentLocationId', coalesce(i.doc->'permanentLocationId', h.doc->'permanentLocationId'),
      'temporaryLocationId', i.doc->'temporaryLocationId',
      'callNumber', coalesce(
        course_call_number(i.doc->>'itemLevelCallNumberPrefix', i.doc->>'itemLevelCallNumber',
                           i.doc->>'itemLevelCallNumberSuffix'),
        course_call_number(h.doc->>'callNumberPrefix', h.doc->>'callNumber', h.doc->>'callNumberSuffix'))))
      || jsonb_build_object(
        'contributors', (
          SELECT coalesce(jsonb_agg(course_members(c.value, ARRAY['name', 'contributorTypeId', 'contributorTypeText',
                                                                  'contributorNameTypeId', 'primary']) ORDER BY c.place), '[]')
          FROM jsonb_array_elements(n.doc->'contributors') WITH ORDINALITY c (value, place)),
        'publication', (
          SELECT coalesce(jsonb_agg(course_members(p.value, ARRAY['publisher', 'place', 'dateOfPublication', 'role'])
                                    ORDER BY p.place), '[]')
          FROM jsonb_array_elements(n.doc->'publication') WITH ORDINALITY p (value, place)))
    FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid JOIN instance n ON n.id = h.instanceid
    WHERE i.id = (reserve->>'itemId')::uuid), reserve->'copiedItem');
END $$;

CREATE OR REPLACE FUNCTION course_reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  item jsonb := copied_item(reserve);
BEGIN
  RETURN CASE WHEN item IS NULL THEN reserve ELSE reserve || jsonb_build_object('copiedItem', item) END;
END $$;

CREATE OR REPLACE FUNCTION expanded_course_reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  shown jsonb := course_reserve(reserve);
  copyright jsonb := (SELECT c.doc FROM coursereserves_copyrightstates c
                      WHERE c.id = (reserve#>>'{copyrightTracking,copyrightStatusId}')::uuid);
BEGIN
  IF shown ? 'copiedItem' THEN
    shown := jsonb_set(shown, '{copiedItem}', shown->'copiedItem' || jsonb_strip_nulls(jsonb_build_object(
      'temporaryLocationObject', course_location(shown#>>'{copiedItem,temporaryLocationId}'),
      'permanentLocationObject', course_location(shown#>>'{copiedItem,permanentLocationId}'))));
  END IF;
  IF copyright IS NOT NULL THEN
    shown := jsonb_set(shown, '{copyrightTracking,copyrightStatusObject}', copyright);
  END IF;
  RETURN shown || jsonb_strip_nulls(jsonb_build_object(
    'processingStatusObject', (SELECT s.doc FROM coursereserves_processingstates s
                               WHERE s.id = (reserve->>'processingStatusId')::uuid),
    'temporaryLoanTypeObject', (SELECT course_members(t.doc, ARRAY['id', 'name']) FROM loan_type t
                                WHERE t.id = (reserve->>'temporaryLoanTypeId')::uuid)));
END $$;
