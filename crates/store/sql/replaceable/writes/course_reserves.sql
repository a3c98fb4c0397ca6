-- Writes instructors and reserves (docs/folio/course-reserves.md).

-- Adds an instructor. Barcode and patron group are those of the user, if there is one.
-- Statement: SELECT add_instructor($1)
CREATE OR REPLACE FUNCTION add_instructor(instructor jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  of_user jsonb := (
    SELECT jsonb_strip_nulls(jsonb_build_object('barcode', u.doc->'barcode', 'patronGroup', g.id,
      'patronGroupObject', course_members(g.doc, ARRAY['id', 'group', 'desc'])))
    FROM users u JOIN groups g ON g.id = (u.doc->>'patronGroup')::uuid
    WHERE u.id = (instructor->>'userId')::uuid);
BEGIN
  IF of_user IS NOT NULL THEN
    instructor := (instructor - 'barcode') || of_user;
  END IF;
  INSERT INTO coursereserves_instructors (id, doc) VALUES ((instructor->>'id')::uuid, instructor);
  RETURN instructor::text;
END $$;

-- Writes a reserve with the change of its item, if there is one; the first six parameters are those of write_items.
-- `reserve` has the record, and whether to add, replace or remove it. Returns the written reserve.
-- Statement: SELECT write_reserve($1, $2, $3, $4, $5, $6, $7)
CREATE OR REPLACE FUNCTION write_reserve(
  docs jsonb[], states jsonb[], expected bigint[], holdings uuid[], versions bigint[], answer boolean, reserve jsonb)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  record jsonb := reserve->'record';
BEGIN
  IF cardinality(docs) > 0 THEN
    PERFORM write_items(docs, states, expected, holdings, versions, false);
  END IF;
  IF reserve->>'operation' = 'remove' THEN
    DELETE FROM coursereserves_reserves r WHERE r.id = (record->>'id')::uuid;
    RETURN;
  END IF;
  record := course_reserve(record);
  IF reserve->>'operation' = 'add' THEN
    INSERT INTO coursereserves_reserves (id, doc) VALUES ((record->>'id')::uuid, record);
  ELSE
    UPDATE coursereserves_reserves r
    SET doc = record || jsonb_build_object('metadata', (record->'metadata') || (coalesce(r.doc->'metadata', '{}')
      - 'updatedDate' - 'updatedByUserId' - 'updatedByUsername'))
    WHERE r.id = (record->>'id')::uuid;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  RETURN NEXT record::text;
END $$;
