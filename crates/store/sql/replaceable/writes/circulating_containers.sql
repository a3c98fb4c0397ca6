-- Keeps the items of containers that circulate in step with the archives (decision 48): triggers call these functions in the
-- transaction of each change, whichever function makes it, with all records of a statement at once.

-- What the inventory says of collections and repositories that have an instance, and the call number of their holdings. `place`
-- is that in the lists.
CREATE OR REPLACE FUNCTION archival_instances(kinds text[], ids bigint[])
RETURNS TABLE (place bigint, kind text, id bigint, uri text, call_number text, said jsonb) LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT a.place, r.kind, r.id, u.uri,
         CASE r.kind WHEN 'repository' THEN r.doc->>'repo_code'
         ELSE concat_ws('--', r.doc->>'id_0', r.doc->>'id_1', r.doc->>'id_2', r.doc->>'id_3') END,
         jsonb_build_object(
           'title', coalesce(nullif(btrim(regexp_replace(
             CASE r.kind WHEN 'repository' THEN 'Containers of ' || (r.doc->>'name')
             ELSE coalesce(r.doc->>'title', r.doc->>'display_string') END, '<[^>]*>', '', 'g')), ''), u.uri),
           'discoverySuppress', NOT r.publish OR r.suppressed)
  FROM unnest(kinds, ids) WITH ORDINALITY AS a (kind, id, place)
  JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
  CROSS JOIN LATERAL (SELECT archival_uri(r.kind, r.repository, r.id) AS uri) u
$$;

-- Links of a record of the inventory with the one to its record in the archives, whose repository may have changed.
CREATE OR REPLACE FUNCTION with_archival_link(links jsonb, uri text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_array(jsonb_build_object('uri', uri, 'linkText', 'Archival record')) || coalesce((
    SELECT jsonb_agg(e.link ORDER BY e.n) FROM jsonb_array_elements(links) WITH ORDINALITY AS e (link, n)
    WHERE regexp_replace(e.link->>'uri', '^/repositories/[0-9]+', '') <> regexp_replace(uri, '^/repositories/[0-9]+', '')), '[]')
$$;

-- Of the containers those that are to be items, and as what. A container that holds parts of several collections is in the
-- first resource; one with open requests stays with the title that its readers asked for.
CREATE OR REPLACE FUNCTION wanted_boxes(containers bigint[])
RETURNS TABLE (container bigint, item uuid, kind text, id bigint, location uuid, uri text, said jsonb)
LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT r.id, b.item, coalesce(k.kind, t.kind, 'repository'), coalesce(k.id, t.id, r.repository),
         coalesce(g.location, c.location), archival_uri(r.kind, r.repository, r.id),
         jsonb_strip_nulls(jsonb_build_object(
           'barcode', r.doc->>'barcode', 'volume', w.volume, 'displaySummary', concat_ws(', ', w.volume, l.doc->>'title')))
  FROM (SELECT DISTINCT a.id FROM unnest(containers) AS a (id)) a
  JOIN archival_record r ON r.kind = 'top_container' AND r.id = a.id AND r.doc->>'barcode' <> ''
  JOIN archival_circulation c ON c.repository = r.repository
  CROSS JOIN LATERAL (
    SELECT concat_ws(' ', nullif(upper(left(r.doc->>'type', 1)) || lower(substr(r.doc->>'type', 2)), ''), r.doc->>'indicator') AS volume) w
  LEFT JOIN LATERAL (
    SELECT o.doc FROM archival_record o
    WHERE o.kind = 'location' AND o.id = substring(jsonb_path_query_first(
      r.doc, '$.container_locations[*] ? (@.status == "current").ref') #>> '{}' FROM '[0-9]+$')::bigint LIMIT 1) l ON true
  LEFT JOIN archival_building g ON g.repository = r.repository AND g.building = l.doc->>'building'
  LEFT JOIN archival_box b ON b.container = r.id
  LEFT JOIN archival_holdings k ON k.holdings = b.holdings AND EXISTS (SELECT FROM request q WHERE q.open_item = b.item)
  LEFT JOIN LATERAL (
    SELECT coalesce(o.root_kind, o.kind) AS kind, coalesce(o.root, o.id) AS id
    FROM archival_reference x JOIN archival_record o ON o.kind = x.kind AND o.id = x.id
    WHERE x.target_kind = 'top_container' AND x.target_id = r.id AND x.property = 'instances/sub_container/top_container'
    ORDER BY 1 DESC, 2 LIMIT 1) t ON true
$$;

-- An item with the location, call number and shelving order that it gets from itself or its holdings; the rules are those of
-- crates/inventory/src/write/items.rs. Call numbers of a classification scheme are ordered as text until staff save the item.
CREATE OR REPLACE FUNCTION with_effective_values(item jsonb, holdings jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT (item - 'effectiveShelvingOrder') || jsonb_build_object(
      'effectiveLocationId', coalesce(item->'temporaryLocationId', item->'permanentLocationId', holdings->'effectiveLocationId'),
      'effectiveCallNumberComponents', jsonb_strip_nulls(jsonb_build_object(
        'callNumber', c.number, 'prefix', c.prefix, 'suffix', c.suffix, 'typeId', c.type_id)))
    || CASE WHEN c.number IS NULL THEN '{}' ELSE jsonb_build_object('effectiveShelvingOrder', concat_ws(
         ' ', btrim(c.number), nullif(btrim(item->>'volume'), ''), nullif(btrim(item->>'enumeration'), ''),
         nullif(btrim(item->>'chronology'), ''), nullif(btrim(item->>'copyNumber'), ''), btrim(c.suffix))) END
  FROM (SELECT
    coalesce(nullif(btrim(item->>'itemLevelCallNumber'), ''), nullif(btrim(holdings->>'callNumber'), '')) AS number,
    coalesce(nullif(btrim(item->>'itemLevelCallNumberPrefix'), ''), nullif(btrim(holdings->>'callNumberPrefix'), '')) AS prefix,
    coalesce(nullif(btrim(item->>'itemLevelCallNumberSuffix'), ''), nullif(btrim(holdings->>'callNumberSuffix'), '')) AS suffix,
    coalesce(nullif(item->>'itemLevelCallNumberTypeId', ''), nullif(holdings->>'callNumberTypeId', '')) AS type_id) c
$$;

-- What changes in records when they are written now.
CREATE OR REPLACE FUNCTION archival_stamp(metadata jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('metadata', jsonb_build_object('createdDate', n.at) || coalesce(metadata, '{}')
                                        || jsonb_build_object('updatedDate', n.at))
  FROM (SELECT carrel.stored_moment(now()) AS at) n
$$;

-- Makes the instances and holdings that containers need and that are not there.
CREATE OR REPLACE FUNCTION make_archival_holdings(containers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  ids bigint[];
  made uuid[];
  places uuid[];
BEGIN
  -- Who makes the same at the same time waits here, and then finds it.
  WITH new AS (
    INSERT INTO archival_title (kind, id) SELECT DISTINCT w.kind, w.id FROM wanted_boxes(containers) w ORDER BY 1, 2
    ON CONFLICT DO NOTHING RETURNING *)
  SELECT array_agg(new.kind), array_agg(new.id), array_agg(carrel.new_id()) INTO kinds, ids, made FROM new;
  IF kinds IS NOT NULL THEN
    PERFORM FROM write_instances(ARRAY(
      SELECT n.said || archival_stamp(NULL) || jsonb_build_object(
               'id', made[n.place], 'source', 'ARCHIVES', 'instanceTypeId', c.instance_type, '_version', 1,
               'electronicAccess', with_archival_link('[]', n.uri))
      FROM archival_instances(kinds, ids) n
      JOIN archival_record r ON r.kind = n.kind AND r.id = n.id
      JOIN archival_circulation c ON c.repository = coalesce(r.repository, r.id)),
      array_fill(NULL::bigint, ARRAY[cardinality(made)]), false);
    UPDATE archival_title t SET instance = m.id
    FROM unnest(kinds, ids, made) AS m (of_kind, of_id, id) WHERE t.kind = m.of_kind AND t.id = m.of_id;
  END IF;
  WITH new AS (
    INSERT INTO archival_holdings (kind, id, location)
    SELECT DISTINCT w.kind, w.id, w.location FROM wanted_boxes(containers) w ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING RETURNING *)
  SELECT array_agg(new.kind), array_agg(new.id), array_agg(new.location), array_agg(carrel.new_id())
  INTO kinds, ids, places, made FROM new;
  IF kinds IS NOT NULL THEN
    PERFORM FROM write_holdings(ARRAY(
      SELECT archival_stamp(NULL) || jsonb_build_object(
               'id', made[n.place], 'instanceId', t.instance, 'sourceId', c.source,
               'permanentLocationId', places[n.place], 'effectiveLocationId', places[n.place], 'callNumber', n.call_number, '_version', 1)
      FROM archival_instances(kinds, ids) n
      JOIN archival_title t ON t.kind = n.kind AND t.id = n.id
      JOIN archival_record r ON r.kind = n.kind AND r.id = n.id
      JOIN archival_circulation c ON c.repository = coalesce(r.repository, r.id)),
      array_fill(NULL::bigint, ARRAY[cardinality(made)]), '{}', '{}', '{}', '{}', '{}', false);
    UPDATE archival_holdings h SET holdings = m.id
    FROM unnest(kinds, ids, places, made) AS m (of_kind, of_id, place, id)
    WHERE h.kind = m.of_kind AND h.id = m.of_id AND h.location = m.place;
  END IF;
END $$;

-- Ends the items of containers. Refuses if one of them is in use.
CREATE OR REPLACE FUNCTION end_boxes(containers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  items uuid[] := ARRAY(SELECT b.item FROM archival_box b WHERE b.container = ANY (containers));
  used text;
BEGIN
  IF items = '{}' THEN
    RETURN;
  END IF;
  -- Check-outs and new requests lock the state, too: they are seen here, or they see that the item is gone.
  PERFORM FROM item_state s WHERE s.id = ANY (items) ORDER BY s.id FOR UPDATE;
  SELECT concat_ws(' ', i.doc->>'volume', '[Barcode: ' || b.barcode || ']', u.how) INTO used
  FROM archival_box b JOIN item i ON i.id = b.item
  CROSS JOIN LATERAL (SELECT CASE
    WHEN EXISTS (SELECT FROM loan l WHERE l.open_item = b.item) THEN 'is on loan; check it in first'
    WHEN EXISTS (SELECT FROM request q WHERE q.open_item = b.item)
    THEN 'has open requests; fill or cancel them first'
    WHEN EXISTS (SELECT FROM bound_with_part p WHERE p.itemid = b.item) THEN 'is bound with other titles; separate it first'
    END AS how) u
  WHERE b.container = ANY (containers) AND u.how IS NOT NULL ORDER BY b.container LIMIT 1;
  IF used IS NOT NULL THEN
    RAISE EXCEPTION USING HINT = 'box_in_use', MESSAGE = used;
  END IF;
  DELETE FROM archival_box b WHERE b.container = ANY (containers);
  DELETE FROM item i WHERE i.id = ANY (items);
END $$;

-- Removes holdings and instances that the archives made and no longer need, if nothing is in them. What staff have linked with
-- other records stays.
CREATE OR REPLACE FUNCTION remove_archival_holdings(left_holdings uuid[], left_instances uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM holdings_record h
  WHERE h.id = ANY (left_holdings) AND NOT EXISTS (SELECT FROM item i WHERE i.holdingsrecordid = h.id)
    AND NOT EXISTS (SELECT FROM archival_holdings a WHERE a.holdings = h.id);
  DELETE FROM instance t
  WHERE t.id = ANY (left_instances) AND NOT EXISTS (SELECT FROM holdings_record h WHERE h.instanceid = t.id)
    AND NOT EXISTS (SELECT FROM archival_title a WHERE a.instance = t.id);
EXCEPTION WHEN foreign_key_violation THEN
  NULL;
END $$;

-- Brings the items of containers in step: makes, changes and ends them.
CREATE OR REPLACE FUNCTION follow_containers(containers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  docs jsonb[];
  states jsonb[];
  versions bigint[];
  boxes bigint[];
  left_holdings uuid[];
  clash text;
BEGIN
  IF containers IS NULL THEN
    RETURN;
  END IF;
  PERFORM end_boxes(ARRAY(
    SELECT b.container FROM archival_box b
    WHERE b.container = ANY (containers) AND NOT EXISTS (
      SELECT FROM archival_record r JOIN archival_circulation c ON c.repository = r.repository
      WHERE r.kind = 'top_container' AND r.id = b.container AND r.doc->>'barcode' <> '')));
  PERFORM make_archival_holdings(containers);
  -- As in write_items, but so that imports do not wait for each other.
  PERFORM FROM holdings_record h WHERE h.id IN (
    SELECT a.holdings FROM wanted_boxes(containers) w
    JOIN archival_holdings a ON (a.id, a.kind, a.location) = (w.id, w.kind, w.location))
  ORDER BY h.id FOR SHARE;
  PERFORM FROM item_state s WHERE s.id IN (SELECT b.item FROM archival_box b WHERE b.container = ANY (containers))
  ORDER BY s.id FOR NO KEY UPDATE;
  WITH draft AS MATERIALIZED (
    SELECT w.container, i.doc AS before, b.holdings, s.state,
           with_effective_values(
             CASE WHEN i.id IS NULL THEN jsonb_build_object(
                    'id', carrel.new_id(), 'materialTypeId', c.material_type, 'permanentLoanTypeId', c.loan_type,
                    'discoverySuppress', false)
             WHEN b.holdings = h.id THEN i.doc - 'volume' - 'displaySummary'
             ELSE i.doc - 'volume' - 'displaySummary' - 'order' END
             || w.said || jsonb_build_object(
               'holdingsRecordId', h.id, 'electronicAccess', with_archival_link(i.doc->'electronicAccess', w.uri)), h.doc) AS doc
    FROM wanted_boxes(containers) w
    JOIN archival_record r ON r.kind = 'top_container' AND r.id = w.container
    JOIN archival_circulation c ON c.repository = r.repository
    JOIN archival_holdings a ON (a.id, a.kind, a.location) = (w.id, w.kind, w.location)
    JOIN holdings_record h ON h.id = a.holdings
    LEFT JOIN archival_box b ON b.container = w.container
    LEFT JOIN item i ON i.id = b.item
    LEFT JOIN item_state s ON s.id = b.item)
  SELECT array_agg(d.doc ORDER BY d.container), array_agg(d.container ORDER BY d.container),
         array_agg((d.state->>'_version')::bigint ORDER BY d.container),
         array_agg(CASE WHEN d.state IS NULL
           THEN jsonb_build_object('_version', 1, 'status', jsonb_build_object(
                  'name', 'Available', 'date', archival_stamp(NULL)#>'{metadata,updatedDate}')) || archival_stamp(NULL)
           ELSE d.state || jsonb_build_object('_version', (d.state->>'_version')::bigint + 1)
                || archival_stamp(d.state->'metadata') END ORDER BY d.container),
         array_agg(d.holdings) FILTER (WHERE d.holdings <> (d.doc->>'holdingsRecordId')::uuid)
  INTO docs, boxes, versions, states, left_holdings
  FROM draft d WHERE d.doc IS DISTINCT FROM d.before;
  IF docs IS NULL THEN
    RETURN;
  END IF;
  -- Barcodes that change are given up first: containers may exchange theirs.
  WITH given_up AS (
    UPDATE archival_box b SET barcode = NULL FROM unnest(boxes, docs) AS n (container, doc)
    WHERE b.container = n.container AND b.barcode <> n.doc->>'barcode' RETURNING b.item)
  UPDATE item i SET doc = i.doc - 'barcode' FROM given_up g WHERE i.id = g.item;
  SELECT min(n.doc->>'barcode') INTO clash
  FROM unnest(docs) AS n (doc)
  JOIN item i ON carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key(n.doc->>'barcode')
  WHERE i.id <> (n.doc->>'id')::uuid;
  clash := coalesce(clash, (
    SELECT min(n.doc->>'barcode') FROM unnest(docs) AS n (doc)
    GROUP BY carrel.case_folded_key(n.doc->>'barcode') HAVING count(*) > 1 LIMIT 1));
  IF clash IS NOT NULL THEN
    RAISE EXCEPTION USING HINT = 'barcode_of_item', MESSAGE = format('The barcode %s is that of another item of the library', clash);
  END IF;
  UPDATE archival_box b SET barcode = n.doc->>'barcode', holdings = (n.doc->>'holdingsRecordId')::uuid
  FROM unnest(boxes, docs) AS n (container, doc) WHERE b.container = n.container;
  PERFORM FROM write_items(docs, states, versions, '{}', '{}', false);
  INSERT INTO archival_box (container, item, holdings, barcode)
  SELECT n.container, (n.doc->>'id')::uuid, (n.doc->>'holdingsRecordId')::uuid, n.doc->>'barcode'
  FROM unnest(boxes, docs, versions) AS n (container, doc, version) WHERE n.version IS NULL;
  IF left_holdings IS NOT NULL THEN
    PERFORM remove_archival_holdings(
      left_holdings, ARRAY(SELECT h.instanceid FROM holdings_record h WHERE h.id = ANY (left_holdings)));
  END IF;
END $$;

-- Brings the instances of collections and repositories in step, with the call numbers of what is in them.
CREATE OR REPLACE FUNCTION follow_archival_titles(kinds text[], ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  renumbered uuid[];
BEGIN
  IF kinds IS NULL THEN
    RETURN;
  END IF;
  UPDATE instance i
  SET doc = i.doc || n.said || jsonb_build_object(
        '_version', (i.doc->>'_version')::bigint + 1, 'electronicAccess', with_archival_link(i.doc->'electronicAccess', n.uri))
        || archival_stamp(i.doc->'metadata')
  FROM archival_instances(kinds, ids) n JOIN archival_title t ON t.kind = n.kind AND t.id = n.id
  WHERE i.id = t.instance
    AND NOT i.doc @> (n.said || jsonb_build_object('electronicAccess', jsonb_build_array(jsonb_build_object('uri', n.uri))));
  WITH changed AS (
    UPDATE holdings_record h
    SET doc = h.doc || archival_stamp(h.doc->'metadata') || jsonb_build_object(
          'instanceId', t.instance, 'permanentLocationId', a.location, 'callNumber', n.call_number,
          'effectiveLocationId', coalesce(h.doc->>'temporaryLocationId', a.location::text),
          '_version', (h.doc->>'_version')::bigint + 1)
    FROM archival_instances(kinds, ids) n
    JOIN archival_title t ON t.kind = n.kind AND t.id = n.id
    JOIN archival_holdings a ON a.kind = n.kind AND a.id = n.id
    WHERE h.id = a.holdings AND (h.doc->>'instanceId', h.doc->>'permanentLocationId', h.doc->>'callNumber')
      IS DISTINCT FROM (t.instance::text, a.location::text, n.call_number)
    RETURNING h.id)
  SELECT array_agg(c.id) INTO renumbered FROM changed c;
  PERFORM follow_containers((SELECT array_agg(b.container) FROM archival_box b WHERE b.holdings = ANY (renumbered)));
END $$;
