-- Changes of an item's state, the members that the desk changes. They are in a narrow table, so that the desk rewrites
-- neither the item's document nor one of its indexes.

-- The state after a change. `members` are the changed members; a transit destination not among them is removed.
-- `stamp` says who changed it and when. STABLE, as jsonb_build_object is: otherwise PostgreSQL would not make it a part of
-- the statement, but parse and plan it at each call.
CREATE OR REPLACE FUNCTION next_item_state(state jsonb, members jsonb, stamp jsonb)
RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (state - 'inTransitDestinationServicePointId') || members
         || jsonb_build_object('_version', (state->>'_version')::bigint + 1,
                               'metadata', coalesce(state->'metadata', '{}') || stamp)
$$;

-- Changes an item's state if it still has that version.
CREATE OR REPLACE FUNCTION change_item_state(item_id uuid, version bigint, new_state jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before jsonb;
BEGIN
  SELECT s.state INTO before FROM item_state s
  WHERE s.id = item_id AND (s.state->>'_version')::bigint = version FOR NO KEY UPDATE;
  PERFORM refuse_stale(NOT FOUND);
  UPDATE item_state s SET state = next_item_state(s.state, new_state, stamp) WHERE s.id = item_id;
  PERFORM item_states_changed(ARRAY[item_id], ARRAY[before]);
END $$;

-- What follows from changes of states alone; `befores` are the states before.
CREATE OR REPLACE FUNCTION item_states_changed(ids uuid[], befores jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_uncommon_statuses(ids);
  INSERT INTO catalogue_change (made, item) SELECT pg_current_xact_id(), changed FROM unnest(ids) AS changed;
  IF events_wanted() THEN
    PERFORM announce_change('inventory.item', i.id::text, 'UPDATE', i.doc || past.state, i.doc || i.state)
    FROM unnest(ids, befores) AS past (id, state) JOIN item_record i ON i.id = past.id;
  END IF;
END $$;

-- The items with a rare status are listed apart (decision 12). The declaration of items lists the same statuses.
CREATE OR REPLACE FUNCTION keep_uncommon_statuses(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM item_uncommon_status u USING item_state s
  WHERE u.record_id = ANY (ids) AND s.id = u.record_id AND s.state#>>'{status,name}' IN ('Available', 'Checked out');
  INSERT INTO item_uncommon_status AS u (record_id, name)
  SELECT s.id, s.state#>>'{status,name}' FROM item_state s
  WHERE s.id = ANY (ids) AND s.state#>>'{status,name}' NOT IN ('Available', 'Checked out')
  ON CONFLICT (record_id) DO UPDATE SET name = excluded.name WHERE u.name <> excluded.name;
END $$;

-- The same for one item of which it is known: `status` is its uncommon status, null if it is common now. In PL/pgSQL, so that a
-- statement that does not need it does not prepare it.
CREATE OR REPLACE FUNCTION note_uncommon_status(item_id uuid, status text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF status IS NULL THEN
    DELETE FROM item_uncommon_status u WHERE u.record_id = item_id;
  ELSE
    INSERT INTO item_uncommon_status (record_id, name) VALUES (item_id, status)
    ON CONFLICT (record_id) DO UPDATE SET name = excluded.name;
  END IF;
END $$;

-- After items were copied into the empty tables.
CREATE OR REPLACE FUNCTION items_copied() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO item_uncommon_status (record_id, name)
  SELECT s.id, s.state#>>'{status,name}' FROM item_state s
  WHERE s.state#>>'{status,name}' NOT IN ('Available', 'Checked out');
END $$;
