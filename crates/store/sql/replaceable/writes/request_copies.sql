-- What stored requests copy from items, locations and service points follows them (docs/folio/requests.md#stored-requests, decision 94), in
-- the transaction of their change. In FOLIO events do it (mod-circulation-storage, EventConsumerVerticle). Placing and filling a
-- request copies in Rust: circulation/src/requests/copies.rs.

-- A stored request with what it copies as it is now. Nothing of an item that is gone, or of none, changes.
CREATE OR REPLACE FUNCTION with_copies(request jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT request
    || coalesce((
      SELECT jsonb_build_object(
        'item', coalesce(request->'item', '{}')
          - '{itemEffectiveLocationId,itemEffectiveLocationName,retrievalServicePointId,retrievalServicePointName}'::text[]
          || jsonb_strip_nulls(jsonb_build_object(
            'itemEffectiveLocationId', l.id, 'itemEffectiveLocationName', l.doc->'name',
            'retrievalServicePointId', p.id, 'retrievalServicePointName', p.doc->'name')),
        'searchIndex', coalesce(request->'searchIndex', '{}') - '{callNumberComponents,shelvingOrder}'::text[]
          || jsonb_strip_nulls(jsonb_build_object(
            'callNumberComponents', nullif(jsonb_build_object(
              'callNumber', i.doc#>'{effectiveCallNumberComponents,callNumber}',
              'prefix', i.doc#>'{effectiveCallNumberComponents,prefix}',
              'suffix', i.doc#>'{effectiveCallNumberComponents,suffix}'),
              '{"callNumber": null, "prefix": null, "suffix": null}'),
            'shelvingOrder', i.doc->'effectiveShelvingOrder')))
      FROM item i
      LEFT JOIN location l ON l.id = (i.doc->>'effectiveLocationId')::uuid
      LEFT JOIN service_point p ON p.id = (l.doc->>'primaryServicePoint')::uuid
      WHERE i.id = (request->>'itemId')::uuid), '{}')
$$;

CREATE OR REPLACE FUNCTION with_pickup_name(request jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT request || coalesce((
    SELECT jsonb_build_object('searchIndex', coalesce(request->'searchIndex', '{}')
             || jsonb_build_object('pickupServicePointName', p.doc->'name'))
    FROM service_point p WHERE p.id = (request->>'pickupServicePointId')::uuid), '{}')
$$;

-- Copies again in these requests.
CREATE OR REPLACE FUNCTION copy_into_requests(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM request r WHERE r.id = ANY (ids) ORDER BY r.id FOR NO KEY UPDATE;
  UPDATE request r SET doc = new.doc
  FROM (SELECT same.id, with_pickup_name(with_copies(same.doc)) AS doc FROM request same WHERE same.id = ANY (ids) OFFSET 0) new
  WHERE r.id = new.id AND r.doc <> new.doc;
END $$;

CREATE OR REPLACE FUNCTION copy_items_into_requests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  SELECT array_agg(r.id) INTO ids
  FROM (SELECT t.id, t.doc->'effectiveLocationId', t.doc->'effectiveCallNumberComponents', t.doc->'effectiveShelvingOrder'
        FROM touched t
        EXCEPT
        SELECT b.id, b.doc->'effectiveLocationId', b.doc->'effectiveCallNumberComponents', b.doc->'effectiveShelvingOrder'
        FROM before b) changed
  JOIN request r ON r.itemid = changed.id;
  IF ids IS NOT NULL THEN
    PERFORM copy_into_requests(ids);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER items_in_requests AFTER UPDATE ON item
REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION copy_items_into_requests();

-- Renamed locations and service points, and locations with another primary service point: in open requests, which are few. Those
-- that are closed keep the names of their day.
CREATE OR REPLACE FUNCTION copy_places_into_requests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  SELECT array_agg(r.id) INTO ids
  FROM request r
  WHERE (r.open_item IS NOT NULL OR r.open_title IS NOT NULL)
    AND (r.pickupservicepointid = NEW.id OR r.doc#>>'{item,retrievalServicePointId}' = NEW.id::text
         OR r.doc#>>'{item,itemEffectiveLocationId}' = NEW.id::text);
  IF ids IS NOT NULL THEN
    PERFORM copy_into_requests(ids);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER location_in_requests AFTER UPDATE ON location FOR EACH ROW
WHEN ((OLD.doc->'name', OLD.doc->'primaryServicePoint') IS DISTINCT FROM (NEW.doc->'name', NEW.doc->'primaryServicePoint'))
EXECUTE FUNCTION copy_places_into_requests();
CREATE OR REPLACE TRIGGER service_point_in_requests AFTER UPDATE ON service_point FOR EACH ROW
WHEN (OLD.doc->'name' IS DISTINCT FROM NEW.doc->'name') EXECUTE FUNCTION copy_places_into_requests();
