-- Writing instances, holdings and items. Carrel reads what a change depends on, decides, and calls one of these
-- functions once for any number of records. Each repeats the assumptions of the decision; when one of them no
-- longer holds it raises 40001 and writes nothing, and Carrel reads and decides again.
--
-- `expected[n]` is the version that record n replaces; NULL adds the record.

CREATE OR REPLACE FUNCTION refuse_stale(stale boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF stale THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a record changed while the change was decided';
  END IF;
END $$;

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

-- The members of an item that its effective location, call number and shelving order are computed from.
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

-- `moved` are the holdings whose items get new effective values: for each of their items its id, the inputs the
-- values were computed from and the values. `stamp` holds who changed them and when.
CREATE OR REPLACE FUNCTION write_holdings(
  records jsonb[], expected bigint[], moved uuid[], item_ids uuid[], inputs jsonb[], effective jsonb[], stamp jsonb,
  answer boolean)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  changed bigint;
BEGIN
  -- Items are only added to or moved into a holdings record under this lock (write_items).
  PERFORM FROM holdings_record WHERE id = ANY (SELECT (new->>'id')::uuid FROM unnest(records) AS new)
  ORDER BY id FOR NO KEY UPDATE;

  UPDATE holdings_record r SET doc = new.doc
  FROM unnest(records, expected) AS new (doc, version)
  WHERE r.id = (new.doc->>'id')::uuid AND (r.doc->>'_version')::bigint = new.version;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> (SELECT count(version) FROM unnest(expected) AS version));

  UPDATE item r
  SET doc = (r.doc - '{effectiveLocationId,effectiveCallNumberComponents,effectiveShelvingOrder}'::text[])
            || new.effective,
      state = r.state || jsonb_build_object('_version', (r.state->>'_version')::bigint + 1,
                                            'metadata', coalesce(r.state->'metadata', '{}') || stamp)
  FROM unnest(item_ids, inputs, effective) AS new (id, inputs, effective)
  WHERE r.id = new.id AND item_inputs(r.doc) = new.inputs;
  GET DIAGNOSTICS changed = ROW_COUNT;
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

-- `holdings` and `versions` are the holdings records the effective values were computed from.
CREATE OR REPLACE FUNCTION write_items(
  docs jsonb[], states jsonb[], expected bigint[], holdings uuid[], versions bigint[], answer boolean)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  changed bigint;
BEGIN
  PERFORM FROM holdings_record WHERE id = ANY (holdings) ORDER BY id FOR NO KEY UPDATE;
  PERFORM refuse_stale(EXISTS (
    SELECT FROM unnest(holdings, versions) AS seen (id, version) LEFT JOIN holdings_record h ON h.id = seen.id
    WHERE (h.doc->>'_version')::bigint IS DISTINCT FROM seen.version));

  UPDATE item r SET doc = new.doc, state = new.state
  FROM unnest(docs, states, expected) AS new (doc, state, version)
  WHERE r.id = (new.doc->>'id')::uuid AND (r.state->>'_version')::bigint = new.version;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM refuse_stale(changed <> (SELECT count(version) FROM unnest(expected) AS version));

  RETURN QUERY
    WITH new AS (
      SELECT doc, state, place, (doc->>'holdingsRecordId')::uuid AS holdings_id
      FROM unnest(docs, states, expected) WITH ORDINALITY AS new (doc, state, version, place)
      WHERE version IS NULL),
    last AS (
      SELECT holdingsrecordid AS holdings_id, max((doc->>'order')::int) AS place FROM item
      WHERE holdingsrecordid IN (SELECT holdings_id FROM new WHERE NOT new.doc ? 'order') GROUP BY 1),
    numbered AS (
      SELECT new.*, coalesce(last.place, 0)
                    + count(*) FILTER (WHERE NOT new.doc ? 'order') OVER (PARTITION BY holdings_id ORDER BY new.place)
                    AS number
      FROM new LEFT JOIN last USING (holdings_id)),
    added AS (
      INSERT INTO item (id, doc, state)
      SELECT (doc->>'id')::uuid,
             with_hrid(CASE WHEN doc ? 'order' THEN doc ELSE doc || jsonb_build_object('order', number) END, 'items'),
             state
      FROM numbered ORDER BY place
      RETURNING doc || state AS record)
    SELECT record::text FROM added WHERE answer;
END $$;
