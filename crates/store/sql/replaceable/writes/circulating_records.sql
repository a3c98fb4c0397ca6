-- What changes in the archives and concerns containers that circulate (decision 48). Once for a statement, whatever the number
-- of its rows; libraries without such containers pay for one look at an empty table.

CREATE OR REPLACE FUNCTION follow_new_archival_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM archival_circulation) THEN
    PERFORM follow_containers((
      SELECT array_agg(r.id) FROM written r JOIN archival_circulation c ON c.repository = r.repository
      WHERE r.kind = 'top_container' AND r.doc ? 'barcode'));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION follow_changed_archival_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  ids bigint[];
  containers bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM archival_circulation) THEN
    RETURN NULL;
  END IF;
  EXECUTE $query$
    -- Planned each time, for as many rows as there are: a kept plan would pair thousands as it once paired one.
    SELECT array_agg(r.kind), array_agg(r.id)
    FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id
    JOIN archival_title t ON t.kind = r.kind AND t.id = r.id
    WHERE (r.publish, r.suppressed, r.repository) IS DISTINCT FROM (b.publish, b.suppressed, b.repository)
       OR r.doc IS DISTINCT FROM b.doc $query$ INTO kinds, ids;
  PERFORM follow_archival_titles(kinds, ids);
  EXECUTE $query$
    -- Planned each time, for as many rows as there are: a kept plan would pair thousands as it once paired one.
    SELECT array_agg(c.id) FROM (
      SELECT r.id FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id
      WHERE r.kind = 'top_container'
        AND ((r.repository, r.lock_version) IS DISTINCT FROM (b.repository, b.lock_version) OR r.doc IS DISTINCT FROM b.doc)
      UNION
      -- What is in a component that moved to another collection.
      SELECT x.target_id FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id
      JOIN archival_reference x ON x.kind = r.kind AND x.id = r.id AND x.target_kind = 'top_container'
      WHERE r.root IS DISTINCT FROM b.root
      UNION
      -- What stands in a location.
      SELECT x.id FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id
      JOIN archival_reference x ON x.target_kind = r.kind AND x.target_id = r.id AND x.kind = 'top_container'
      WHERE r.kind = 'location'
        AND (r.doc->>'title', r.doc->>'building') IS DISTINCT FROM (b.doc->>'title', b.doc->>'building')) c
    $query$ INTO containers;
  PERFORM follow_containers(containers);
  RETURN NULL;
END $$;

-- The items of deleted containers end; what deleted collections had in the inventory goes if it is empty.
CREATE OR REPLACE FUNCTION follow_deleted_archival_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  instances uuid[];
  holdings uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM archival_circulation) AND NOT EXISTS (SELECT FROM archival_title) THEN
    RETURN NULL;
  END IF;
  PERFORM end_boxes(ARRAY(SELECT r.id FROM before r WHERE r.kind = 'top_container'));
  SELECT array_agg(t.instance) INTO instances FROM before r JOIN archival_title t ON t.kind = r.kind AND t.id = r.id;
  IF instances IS NOT NULL THEN
    holdings := ARRAY(SELECT a.holdings FROM before r JOIN archival_holdings a ON a.kind = r.kind AND a.id = r.id);
    DELETE FROM archival_title t USING before r WHERE t.kind = r.kind AND t.id = r.id;
    PERFORM remove_archival_holdings(holdings, instances);
  END IF;
  RETURN NULL;
END $$;

-- What is put into containers, or taken out, may change their collection.
CREATE OR REPLACE FUNCTION follow_archival_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM archival_circulation) THEN
    PERFORM follow_containers((SELECT array_agg(DISTINCT x.target_id) FROM touched x WHERE x.target_kind = 'top_container'));
  END IF;
  RETURN NULL;
END $$;

-- After those of tables/archival_changes.sql, in the order of their names.
CREATE OR REPLACE TRIGGER circulating_record_made AFTER INSERT ON archival_record
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION follow_new_archival_records();
CREATE OR REPLACE TRIGGER circulating_record_changed AFTER UPDATE ON archival_record
REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION follow_changed_archival_records();
CREATE OR REPLACE TRIGGER circulating_record_gone AFTER DELETE ON archival_record
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_archival_records();
CREATE OR REPLACE TRIGGER circulating_reference_made AFTER INSERT ON archival_reference
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION follow_archival_references();
CREATE OR REPLACE TRIGGER circulating_reference_gone AFTER DELETE ON archival_reference
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION follow_archival_references();

-- A record of a kind that new items need: the one of that name or code, or a new one.
CREATE OR REPLACE FUNCTION archival_reference_datum(of_table text, said jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  found uuid;
BEGIN
  EXECUTE format('SELECT r.id FROM %I r WHERE lower(r.doc->>''name'') = lower($1->>''name'') OR r.doc->>''code'' = $1->>''code'' '
                 'ORDER BY r.seq LIMIT 1', of_table) INTO found USING said;
  IF found IS NULL THEN
    found := carrel.new_id();
    EXECUTE format('INSERT INTO %I (id, doc) VALUES ($1, $2)', of_table)
    USING found, said || jsonb_build_object('id', found) || archival_stamp(NULL);
  END IF;
  RETURN found;
END $$;

-- Lets the containers of a repository circulate, or changes how. `wanted` has members of archival_circulation, as `{member}_id`,
-- and `buildings`: [{building, location_id}]; what it does not say stays, or is chosen. Returns {"items": number},
-- {"missing": true} without a location, or {"clashes": [[address, barcode]]}, at most 100.
-- Statement: SELECT circulate_containers($1, $2)
CREATE OR REPLACE FUNCTION circulate_containers(within bigint, wanted jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  known archival_circulation;
  place uuid;
  clashes jsonb;
  left_holdings uuid[];
  chunk bigint[];
  last bigint := 0;
BEGIN
  -- Nobody saves meanwhile what would not see that containers circulate from now on.
  LOCK TABLE archival_record IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO known FROM archival_circulation c WHERE c.repository = within;
  place := coalesce((wanted->>'location_id')::uuid, known.location,
                    (SELECT (array_agg(l.id))[1] FROM location l HAVING count(*) = 1));
  IF place IS NULL THEN
    RETURN '{"missing": true}';
  END IF;
  SELECT jsonb_agg(jsonb_build_array(c.uri, c.barcode)) INTO clashes
  FROM (
    SELECT archival_uri(r.kind, r.repository, r.id) AS uri, r.doc->>'barcode' AS barcode
    FROM archival_record r
    WHERE r.kind = 'top_container' AND r.repository = within AND r.doc->>'barcode' <> ''
      AND NOT EXISTS (SELECT FROM archival_box b WHERE b.container = r.id) AND (
        EXISTS (SELECT FROM item i
                WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE "C" = carrel.case_folded_key(r.doc->>'barcode'))
        OR r.id IN (SELECT unnest(array_agg(o.id)) FROM archival_record o
                    WHERE o.kind = 'top_container' AND o.repository = within AND o.doc->>'barcode' <> ''
                    GROUP BY carrel.case_folded_key(o.doc->>'barcode') HAVING count(*) > 1))
    ORDER BY r.id LIMIT 100) c;
  IF clashes IS NOT NULL THEN
    RETURN jsonb_build_object('clashes', clashes);
  END IF;
  INSERT INTO archival_circulation AS c (repository, instance_type, source, material_type, loan_type, location)
  VALUES (within,
          coalesce((wanted->>'instance_type_id')::uuid, known.instance_type, archival_reference_datum(
            'instance_type', '{"name": "unspecified", "code": "zzz", "source": "rdacontent"}')),
          coalesce(known.source, archival_reference_datum('holdings_records_source', '{"name": "FOLIO", "source": "folio"}')),
          coalesce((wanted->>'material_type_id')::uuid, known.material_type, archival_reference_datum(
            'material_type', '{"name": "archival container", "source": "local"}')),
          coalesce((wanted->>'loan_type_id')::uuid, known.loan_type, archival_reference_datum(
            'loan_type', '{"name": "Reading room", "source": "local"}')), place)
  ON CONFLICT (repository) DO UPDATE
  SET instance_type = excluded.instance_type, material_type = excluded.material_type, loan_type = excluded.loan_type,
      location = excluded.location;
  IF wanted ? 'buildings' THEN
    DELETE FROM archival_building b WHERE b.repository = within;
    INSERT INTO archival_building (repository, building, location)
    SELECT within, b.building, b.location_id
    FROM jsonb_to_recordset(wanted->'buildings') AS b (building text, location_id uuid);
  END IF;
  -- Items that staff gave another type keep it.
  WITH retyped AS (
    UPDATE item i
    SET doc = i.doc || CASE WHEN i.doc->>'materialTypeId' = known.material_type::text
                       THEN jsonb_build_object('materialTypeId', c.material_type) ELSE '{}' END
                    || CASE WHEN i.doc->>'permanentLoanTypeId' = known.loan_type::text
                       THEN jsonb_build_object('permanentLoanTypeId', c.loan_type) ELSE '{}' END
    FROM archival_box b JOIN archival_record r ON r.kind = b.kind AND r.id = b.container
    JOIN archival_circulation c ON c.repository = r.repository
    WHERE i.id = b.item AND r.repository = within
      AND (c.material_type, c.loan_type) IS DISTINCT FROM (known.material_type, known.loan_type)
    RETURNING i.id)
  UPDATE item_state s
  SET state = s.state || jsonb_build_object('_version', (s.state->>'_version')::bigint + 1) || archival_stamp(s.state->'metadata')
  FROM retyped i WHERE s.id = i.id;
  LOOP
    chunk := ARRAY(SELECT r.id FROM archival_record r
                   WHERE r.kind = 'top_container' AND r.repository = within AND r.id > last ORDER BY r.id
                   LIMIT CASE last WHEN 0 THEN 500 ELSE 5000 END);
    EXIT WHEN chunk = '{}';
    PERFORM follow_containers(chunk);
    IF last = 0 THEN
      -- Plans made for empty tables read all rows for each container.
      ANALYZE archival_title, archival_holdings, archival_box, item, item_state;
    END IF;
    last := chunk[cardinality(chunk)];
  END LOOP;
  -- Boxes that moved to other locations leave holdings behind.
  WITH empty AS (
    DELETE FROM archival_holdings a USING archival_record r
    WHERE r.kind = a.kind AND r.id = a.id AND coalesce(r.repository, r.id) = within
      AND NOT EXISTS (SELECT FROM archival_box b WHERE b.holdings = a.holdings)
    RETURNING a.holdings)
  SELECT array_agg(e.holdings) INTO left_holdings FROM empty e;
  PERFORM remove_archival_holdings(left_holdings, '{}');
  RETURN jsonb_build_object('items', (
    SELECT count(*) FROM archival_box b JOIN archival_record r ON r.kind = b.kind AND r.id = b.container
    WHERE r.repository = within));
END $$;

-- Ends the circulation of a repository's containers. Returns whether they did circulate; refuses if one is in use.
-- Statement: SELECT end_circulation_of_containers($1)
CREATE OR REPLACE FUNCTION end_circulation_of_containers(within bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  instances uuid[];
  holdings uuid[];
BEGIN
  LOCK TABLE archival_record IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM archival_circulation c WHERE c.repository = within;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM end_boxes(ARRAY(SELECT b.container FROM archival_box b JOIN archival_record r ON r.kind = b.kind AND r.id = b.container
                          WHERE r.repository = within));
  SELECT array_agg(t.instance), array_agg(a.holdings) INTO instances, holdings
  FROM archival_title t JOIN archival_record r ON r.kind = t.kind AND r.id = t.id
  LEFT JOIN archival_holdings a ON a.kind = t.kind AND a.id = t.id
  WHERE within = CASE t.kind WHEN 'repository' THEN t.id ELSE r.repository END;
  DELETE FROM archival_title t WHERE t.instance = ANY (instances);
  PERFORM remove_archival_holdings(holdings, instances);
  RETURN true;
END $$;
