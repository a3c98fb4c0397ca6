-- Writing what the desk has decided. Each function repeats the assumptions of the decision; when one of them no
-- longer holds it raises 40001 and writes nothing, and Carrel reads and decides again. Rows are locked in one order
-- everywhere: item, requests, accounts, loan, patron.

-- The item in its new state. `state` holds the members that change; a destination that is not among them is over.
CREATE OR REPLACE FUNCTION change_item_state(item_id uuid, version bigint, new_state jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE item i
  SET state = (i.state - 'inTransitDestinationServicePointId') || new_state
              || jsonb_build_object('_version', version + 1, 'metadata', coalesce(i.state->'metadata', '{}') || stamp)
  WHERE i.id = item_id AND (i.state->>'_version')::bigint = version;
  PERFORM refuse_stale(NOT FOUND);
END $$;

-- Another version of a loan, if it is still the one that the change was decided by. `stamp` says who changed it and when.
CREATE OR REPLACE FUNCTION change_loan(loan jsonb, before jsonb, stamp jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE loan l
  SET doc = change_loan.loan || jsonb_build_object('metadata', coalesce(change_loan.loan->'metadata', '{}') || stamp)
  WHERE l.id = (before->>'id')::uuid AND l.doc = before;
  PERFORM refuse_stale(NOT FOUND);
END $$;

-- A loan. `counted` is the number of the patron's open loans that limits were compared with; null when there are no
-- limits. That nobody else has the item is what the unique index on open loans says.
CREATE OR REPLACE FUNCTION write_check_out(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, patron uuid, counted int, requests jsonb,
  session jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM change_requests(requests, stamp);
  IF counted IS NOT NULL THEN
    INSERT INTO patron_counters AS c (user_id) VALUES (patron)
    ON CONFLICT (user_id) DO UPDATE SET open_loans = c.open_loans WHERE c.open_loans = counted;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
  INSERT INTO loan (id, doc) VALUES ((loan->>'id')::uuid, loan);
  INSERT INTO patron_action_session (id, doc) VALUES ((session->>'id')::uuid, session);
END $$;

-- A return. `before` is the open loan that the return was decided by and `loan` the same, closed; both are null when
-- none was open, and `session` is null then, too. `fees` are what write_fees takes.
CREATE OR REPLACE FUNCTION write_check_in(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, before jsonb, requests jsonb, check_in jsonb,
  session jsonb, fees jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_item_state(item_id, version, new_state, stamp);
  PERFORM change_requests(requests, stamp);
  PERFORM write_fees(fees);
  IF before IS NULL THEN
    PERFORM refuse_stale(EXISTS (SELECT FROM loan l WHERE l.open_item = item_id));
  ELSE
    UPDATE loan l SET doc = write_check_in.loan WHERE l.open_item = item_id AND l.doc = before;
    PERFORM refuse_stale(NOT FOUND);
    INSERT INTO patron_action_session (id, doc) SELECT (session->>'id')::uuid, session WHERE session IS NOT NULL;
  END IF;
  INSERT INTO check_in (id, doc) VALUES ((check_in->>'id')::uuid, check_in);
END $$;

-- A loan record made or changed on purpose. `before` is the record that the change was decided by, null for a new one;
-- `new_state` is null when the item stays as it is. `fees` are what write_fees takes.
CREATE OR REPLACE FUNCTION write_loan(
  item_id uuid, version bigint, new_state jsonb, stamp jsonb, loan jsonb, before jsonb, requests jsonb,
  fees jsonb DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF new_state IS NOT NULL THEN
    PERFORM change_item_state(item_id, version, new_state, stamp);
  END IF;
  PERFORM change_requests(requests, stamp);
  PERFORM write_fees(fees);
  IF before IS NULL THEN
    INSERT INTO loan (id, doc) VALUES ((loan->>'id')::uuid, loan);
  ELSE
    UPDATE loan l SET doc = write_loan.loan WHERE l.id = (before->>'id')::uuid AND l.doc = before;
    PERFORM refuse_stale(NOT FOUND);
  END IF;
END $$;
