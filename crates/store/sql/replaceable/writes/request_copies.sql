-- What stored requests copy from items, locations and service points follows them (docs/folio/requests.md#stored-requests,
-- decision 94), in the transaction of their change. In FOLIO events do it (mod-circulation-storage, EventConsumerVerticle). Placing
-- and filling a request copies in Rust: circulation/src/requests/copies.rs.

-- A stored request with the call number and shelving order of its item.
CREATE OR REPLACE FUNCTION request_with_call_number(request jsonb, item jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT request || jsonb_build_object('searchIndex',
    coalesce(request->'searchIndex', '{}') - '{callNumberComponents,shelvingOrder}'::text[]
    || jsonb_strip_nulls(jsonb_build_object(
      'callNumberComponents', nullif(jsonb_strip_nulls(jsonb_build_object(
        'callNumber', item#>'{effectiveCallNumberComponents,callNumber}',
        'prefix', item#>'{effectiveCallNumberComponents,prefix}',
        'suffix', item#>'{effectiveCallNumberComponents,suffix}')), '{}'),
      'shelvingOrder', item->'effectiveShelvingOrder')))
$$;

-- A stored request with the place of its item: a location and the primary service point of that.
CREATE OR REPLACE FUNCTION request_with_place(request jsonb, location jsonb, point jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT request || jsonb_build_object('item',
    coalesce(request->'item', '{}')
    - '{itemEffectiveLocationId,itemEffectiveLocationName,retrievalServicePointId,retrievalServicePointName}'::text[]
    || jsonb_strip_nulls(jsonb_build_object(
      'itemEffectiveLocationId', location->'id', 'itemEffectiveLocationName', location->'name',
      'retrievalServicePointId', point->'id', 'retrievalServicePointName', point->'name')))
$$;

-- Changed items: in all of their requests. A request whose item is still at the location keeps the names that it has.
CREATE OR REPLACE FUNCTION copy_items_into_requests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[] := ARRAY(
    SELECT c.id
    FROM (SELECT t.id, t.doc->'effectiveLocationId', t.doc->'effectiveCallNumberComponents', t.doc->'effectiveShelvingOrder'
          FROM touched t
          EXCEPT
          SELECT b.id, b.doc->'effectiveLocationId', b.doc->'effectiveCallNumberComponents', b.doc->'effectiveShelvingOrder'
          FROM before b) c);
BEGIN
  IF changed = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM FROM request r WHERE r.itemid = ANY (changed) ORDER BY r.id FOR NO KEY UPDATE;
  UPDATE request r SET doc = copied.doc
  FROM (SELECT q.id, CASE WHEN q.doc#>'{item,itemEffectiveLocationId}' = l.doc->'id' THEN n.doc
                          ELSE request_with_place(n.doc, l.doc, p.doc) END AS doc
        FROM request q
        JOIN item i ON i.id = q.itemid
        LEFT JOIN location l ON l.id = (i.doc->>'effectiveLocationId')::uuid
        LEFT JOIN service_point p ON p.id = (l.doc->>'primaryServicePoint')::uuid
        CROSS JOIN LATERAL request_with_call_number(q.doc, i.doc) AS n (doc)
        WHERE q.itemid = ANY (changed)) copied
  WHERE r.id = copied.id AND r.doc <> copied.doc;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER items_in_requests AFTER UPDATE ON item
REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION copy_items_into_requests();

-- Renamed locations and service points, and locations with another primary service point: in open requests, which are few.
CREATE OR REPLACE FUNCTION copy_places_into_requests() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  showing uuid[] := ARRAY(
    SELECT r.id FROM request r
    WHERE (r.open_item IS NOT NULL OR r.open_title IS NOT NULL)
      AND (r.pickupservicepointid = NEW.id OR r.doc#>>'{item,retrievalServicePointId}' = NEW.id::text
           OR r.doc#>>'{item,itemEffectiveLocationId}' = NEW.id::text));
BEGIN
  PERFORM FROM request r WHERE r.id = ANY (showing) ORDER BY r.id FOR NO KEY UPDATE;
  UPDATE request r SET doc = copied.doc
  FROM (SELECT q.id, CASE WHEN k.id IS NULL THEN n.doc
                          ELSE jsonb_set(n.doc, '{searchIndex}', coalesce(n.doc->'searchIndex', '{}')
                            || jsonb_build_object('pickupServicePointName', k.doc->'name')) END AS doc
        FROM request q
        LEFT JOIN item i ON i.id = q.itemid
        LEFT JOIN location l ON l.id = (i.doc->>'effectiveLocationId')::uuid
        LEFT JOIN service_point p ON p.id = (l.doc->>'primaryServicePoint')::uuid
        LEFT JOIN service_point k ON k.id = q.pickupservicepointid
        CROSS JOIN LATERAL (SELECT CASE WHEN i.id IS NULL THEN q.doc ELSE request_with_place(q.doc, l.doc, p.doc) END) AS n (doc)
        WHERE q.id = ANY (showing)) copied
  WHERE r.id = copied.id AND r.doc <> copied.doc;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER location_in_requests AFTER UPDATE ON location FOR EACH ROW
WHEN ((OLD.doc->'name', OLD.doc->'primaryServicePoint') IS DISTINCT FROM (NEW.doc->'name', NEW.doc->'primaryServicePoint'))
EXECUTE FUNCTION copy_places_into_requests();
CREATE OR REPLACE TRIGGER service_point_in_requests AFTER UPDATE ON service_point FOR EACH ROW
WHEN (OLD.doc->'name' IS DISTINCT FROM NEW.doc->'name') EXECUTE FUNCTION copy_places_into_requests();
