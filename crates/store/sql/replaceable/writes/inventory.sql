-- Writes instances, holdings and items, any number in one call. `expected[n]` is the version that record n replaces;
-- NULL adds the record.

CREATE OR REPLACE FUNCTION write_instances(records jsonb[], expected bigint[], answer boolean)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE instance r SET doc = new.doc
  FROM unnest(records, expected) AS new (doc, version)
  WHERE r.id = (new.doc->>'id')::uuid AND (r.doc->>'_version')::bigint = new.version;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> (SELECT count(version) FROM unnest(expected) AS version));

  RETURN QUERY
    WITH added AS (
      INSERT INTO instance (id, doc)
      SELECT (new.doc->>'id')::uuid, with_hrid(new.doc, 'instances')
      FROM unnest(records, expected) WITH ORDINALITY AS new (doc, version, place)
      WHERE new.version IS NULL ORDER BY new.place
      RETURNING doc)
    SELECT doc::text FROM added WHERE answer;
END $$;

-- The members of an item that determine its effective location, call number and shelving order.
CREATE OR REPLACE FUNCTION item_inputs(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'temporaryLocationId', doc->'temporaryLocationId', 'permanentLocationId', doc->'permanentLocationId',
    'itemLevelCallNumber', doc->'itemLevelCallNumber',
    'itemLevelCallNumberPrefix', doc->'itemLevelCallNumberPrefix',
    'itemLevelCallNumberSuffix', doc->'itemLevelCallNumberSuffix',
    'itemLevelCallNumberTypeId', doc->'itemLevelCallNumberTypeId',
    'volume', doc->'volume', 'enumeration', doc->'enumeration', 'chronology', doc->'chronology',
    'copyNumber', doc->'copyNumber'))
$$;

-- The members of a holdings record that its items inherit: a batch of items reads them once per holdings record.
CREATE OR REPLACE FUNCTION holdings_inputs(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object(
    'id', doc->'id', '_version', doc->'_version', 'effectiveLocationId', doc->'effectiveLocationId',
    'callNumber', doc->'callNumber', 'callNumberPrefix', doc->'callNumberPrefix',
    'callNumberSuffix', doc->'callNumberSuffix', 'callNumberTypeId', doc->'callNumberTypeId')
$$;

-- `moved` are the holdings whose items get new effective values: the id of each item, the values' inputs, and the
-- values. `stamp` says who changed them and when.
CREATE OR REPLACE FUNCTION write_holdings(
  records jsonb[], expected bigint[], moved uuid[], item_ids uuid[], inputs jsonb[], effective jsonb[], stamp jsonb,
  answer boolean)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  changed bigint;
  befores jsonb[];
BEGIN
  -- Items are added to or moved into a holdings record only under this lock (write_items).
  PERFORM FROM holdings_record WHERE id = ANY (SELECT (new->>'id')::uuid FROM unnest(records) AS new)
  ORDER BY id FOR NO KEY UPDATE;

  UPDATE holdings_record r SET doc = new.doc
  FROM unnest(records, expected) AS new (doc, version)
  WHERE r.id = (new.doc->>'id')::uuid AND (r.doc->>'_version')::bigint = new.version;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> (SELECT count(version) FROM unnest(expected) AS version));

  PERFORM FROM item_state s WHERE s.id = ANY (item_ids) ORDER BY s.id FOR NO KEY UPDATE;
  befores := items_before_change(item_ids);
  UPDATE item r
  SET doc = (r.doc - '{effectiveLocationId,effectiveCallNumberComponents,effectiveShelvingOrder}'::text[])
            || new.effective
  FROM unnest(item_ids, inputs, effective) AS new (id, inputs, effective)
  WHERE r.id = new.id AND item_inputs(r.doc) = new.inputs;
  GET DIAGNOSTICS changed = ROW_COUNT;
  UPDATE item_state s
  SET state = s.state || jsonb_build_object('_version', (s.state->>'_version')::bigint + 1,
                                            'metadata', coalesce(s.state->'metadata', '{}') || stamp)
  WHERE s.id = ANY (item_ids);
  PERFORM announce_changed_items(befores);
  PERFORM refuse_stale(changed <> cardinality(item_ids)
                       OR changed <> (SELECT count(*) FROM item WHERE holdingsrecordid = ANY (moved)));

  RETURN QUERY
    WITH added AS (
      INSERT INTO holdings_record (id, doc)
      SELECT (new.doc->>'id')::uuid, with_hrid(new.doc, 'holdings')
      FROM unnest(records, expected) WITH ORDINALITY AS new (doc, version, place)
      WHERE new.version IS NULL ORDER BY new.place
      RETURNING doc)
    SELECT doc::text FROM added WHERE answer;
END $$;

-- `holdings` and `versions` are the holdings records from which the effective values were computed. An item without
-- `order` is placed last in its holdings record.
CREATE OR REPLACE FUNCTION write_items(
  docs jsonb[], states jsonb[], expected bigint[], holdings uuid[], versions bigint[], answer boolean)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  changed bigint;
  ids uuid[] := ARRAY(SELECT (doc->>'id')::uuid FROM unnest(docs) AS new (doc));
  befores jsonb[];
BEGIN
  PERFORM FROM holdings_record WHERE id = ANY (holdings) ORDER BY id FOR NO KEY UPDATE;
  PERFORM refuse_stale(EXISTS (
    SELECT FROM unnest(holdings, versions) AS seen (id, version) LEFT JOIN holdings_record h ON h.id = seen.id
    WHERE (h.doc->>'_version')::bigint IS DISTINCT FROM seen.version));
  docs := with_item_order(docs);

  befores := items_before_change(ids);
  UPDATE item_state s SET state = new.state
  FROM unnest(docs, states, expected) AS new (doc, state, version)
  WHERE s.id = (new.doc->>'id')::uuid AND (s.state->>'_version')::bigint = new.version;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> (SELECT count(version) FROM unnest(expected) AS version));
  UPDATE item r SET doc = new.doc
  FROM unnest(docs, expected) AS new (doc, version)
  WHERE r.id = (new.doc->>'id')::uuid AND new.version IS NOT NULL;

  RETURN QUERY
    WITH new AS MATERIALIZED (
      SELECT (new.doc->>'id')::uuid AS id, new.doc, new.state, new.place
      FROM unnest(docs, states, expected) WITH ORDINALITY AS new (doc, state, version, place)
      WHERE new.version IS NULL),
    added AS (
      INSERT INTO item (id, doc) SELECT new.id, with_hrid(new.doc, 'items') FROM new ORDER BY new.place
      RETURNING id, doc),
    stated AS (
      INSERT INTO item_state (id, state) SELECT added.id, new.state FROM added JOIN new USING (id))
    SELECT (added.doc || new.state)::text FROM added JOIN new USING (id) WHERE answer ORDER BY new.place;
  PERFORM keep_uncommon_statuses(ids);
  PERFORM announce_changed_items(befores);
END $$;

-- The items before a change, for the events that announce it; null if nobody listens.
CREATE OR REPLACE FUNCTION items_before_change(ids uuid[]) RETURNS jsonb[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF events_wanted() THEN
    RETURN (SELECT array_agg(i.doc || i.state) FROM item_record i WHERE i.id = ANY (ids));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_changed_items(befores jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF befores IS NOT NULL THEN
    PERFORM announce_change('inventory.item', i.id::text, 'UPDATE', past.record, i.doc || i.state)
    FROM unnest(befores) AS past (record) JOIN item_record i ON i.id = (past.record->>'id')::uuid;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION with_item_order(docs jsonb[]) RETURNS jsonb[] LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (
    WITH new AS (
      SELECT doc, place, doc ? 'order' AS placed, (doc->>'holdingsRecordId')::uuid AS holdings_id
      FROM unnest(docs) WITH ORDINALITY AS new (doc, place)),
    last AS (
      SELECT holdingsrecordid AS holdings_id, max((doc->>'order')::bigint) AS number FROM item
      WHERE holdingsrecordid IN (SELECT holdings_id FROM new WHERE NOT placed) GROUP BY 1),
    numbered AS (
      SELECT new.*, coalesce(last.number, 0) + count(*) FILTER (WHERE NOT placed)
                    OVER (PARTITION BY holdings_id ORDER BY place) AS number
      FROM new LEFT JOIN last USING (holdings_id))
    SELECT array_agg(CASE WHEN placed THEN doc ELSE doc || jsonb_build_object('order', number) END ORDER BY place)
    FROM numbered);
END $$;

-- Writes the links sent with an instance through mod-inventory: each list sent replaces the stored one, the others
-- stay. `stamp` is the metadata of added links.
CREATE OR REPLACE FUNCTION write_relationships(own uuid, is_parent boolean, sent jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own_end   text := CASE WHEN is_parent THEN 'superInstanceId' ELSE 'subInstanceId' END;
  other_end text := CASE WHEN is_parent THEN 'subInstanceId' ELSE 'superInstanceId' END;
BEGIN
  DELETE FROM instance_relationship l
  WHERE CASE WHEN is_parent THEN l.superinstanceid ELSE l.subinstanceid END = own
    AND NOT EXISTS (
      SELECT FROM jsonb_array_elements(sent) AS link
      WHERE coalesce(link->>'id' = l.id::text, link->>other_end = l.doc->>other_end
        AND link->>'instanceRelationshipTypeId' = l.doc->>'instanceRelationshipTypeId'));
  UPDATE instance_relationship l
  SET doc = l.doc || jsonb_build_object(
    other_end, link->other_end, 'instanceRelationshipTypeId', link->'instanceRelationshipTypeId',
    'metadata', coalesce(l.doc->'metadata', '{}') || (stamp - '{createdDate,createdByUserId}'::text[]))
  FROM jsonb_array_elements(sent) AS link
  WHERE l.id::text = link->>'id' AND CASE WHEN is_parent THEN l.superinstanceid ELSE l.subinstanceid END = own
    AND (l.doc->other_end, l.doc->'instanceRelationshipTypeId')
        IS DISTINCT FROM (link->other_end, link->'instanceRelationshipTypeId');
  INSERT INTO instance_relationship (id, doc)
  SELECT id, jsonb_build_object('id', id, own_end, own, other_end, link->other_end,
                                'instanceRelationshipTypeId', link->'instanceRelationshipTypeId', 'metadata', stamp)
  FROM (SELECT coalesce((link->>'id')::uuid, carrel.new_id()) AS id, link FROM jsonb_array_elements(sent) AS link) AS new
  WHERE NOT EXISTS (
    SELECT FROM instance_relationship l
    WHERE CASE WHEN is_parent THEN l.superinstanceid ELSE l.subinstanceid END = own
      AND coalesce(link->>'id' = l.id::text, l.doc->>other_end = link->>other_end
        AND l.doc->>'instanceRelationshipTypeId' = link->>'instanceRelationshipTypeId'));
END $$;

CREATE OR REPLACE FUNCTION write_titles(own uuid, is_preceding boolean, sent jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own_end text := CASE WHEN is_preceding THEN 'precedingInstanceId' ELSE 'succeedingInstanceId' END;
BEGIN
  DELETE FROM preceding_succeeding_title l
  WHERE CASE WHEN is_preceding THEN l.precedinginstanceid ELSE l.succeedinginstanceid END = own;
  INSERT INTO preceding_succeeding_title (id, doc)
  SELECT id, title || jsonb_build_object('id', id, own_end, own, 'metadata', stamp)
  FROM (SELECT coalesce((title->>'id')::uuid, carrel.new_id()) AS id, title
        FROM jsonb_array_elements(sent) AS title) AS new;
END $$;

CREATE OR REPLACE FUNCTION write_instance_with_links(
  records jsonb[], expected bigint[], answer boolean, links jsonb, stamp jsonb)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own uuid := (records[1]->>'id')::uuid;
BEGIN
  RETURN QUERY SELECT * FROM write_instances(records, expected, answer);
  IF links ? 'parentInstances' THEN
    PERFORM write_relationships(own, false, links->'parentInstances', stamp);
  END IF;
  IF links ? 'childInstances' THEN
    PERFORM write_relationships(own, true, links->'childInstances', stamp);
  END IF;
  IF links ? 'precedingTitles' THEN
    PERFORM write_titles(own, false, links->'precedingTitles', stamp);
  END IF;
  IF links ? 'succeedingTitles' THEN
    PERFORM write_titles(own, true, links->'succeedingTitles', stamp);
  END IF;
END $$;

-- Replaces all preceding and succeeding titles of an instance; the records are complete.
CREATE OR REPLACE FUNCTION replace_titles(own uuid, titles jsonb[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM preceding_succeeding_title WHERE precedinginstanceid = own OR succeedinginstanceid = own;
  INSERT INTO preceding_succeeding_title (id, doc)
  SELECT (title->>'id')::uuid, title FROM unnest(titles) WITH ORDINALITY AS new (title, place) ORDER BY place;
END $$;

-- Replaces the holdings records that an item is bound with. Its own is always among them, but if it is the only one,
-- the item is not bound with anything. Returns false if the item does not exist.
CREATE OR REPLACE FUNCTION replace_bound_with(item_id uuid, contents uuid[], stamp jsonb)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  main uuid := (SELECT holdingsrecordid FROM item WHERE id = item_id FOR NO KEY UPDATE);
BEGIN
  IF main IS NULL THEN
    RETURN false;
  END IF;
  contents := CASE WHEN contents <@ ARRAY[main] THEN '{}' ELSE contents || main END;
  DELETE FROM bound_with_part WHERE itemid = item_id AND holdingsrecordid <> ALL (contents);
  INSERT INTO bound_with_part (id, doc)
  SELECT id, jsonb_build_object('id', id, 'itemId', item_id, 'holdingsRecordId', content, 'metadata', stamp)
  FROM (SELECT DISTINCT ON (content) carrel.new_id() AS id, content FROM unnest(contents) AS content) AS new
  WHERE NOT EXISTS (SELECT FROM bound_with_part part WHERE part.itemid = item_id AND part.holdingsrecordid = content);
  RETURN true;
END $$;
