-- Events (docs/folio/events.md, docs/folio/desk-records.md#events, docs/folio/fees-fines.md#events-of-fees; decision
-- 0017): triggers on the records announce each change in its own transaction, whoever writes it. Without subscribers
-- `event_interest` is empty, and a change costs only one look-up in it.

CREATE OR REPLACE FUNCTION events_wanted() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM event_interest);
END $$;

-- The event types with subscribers; never null.
CREATE OR REPLACE FUNCTION wanted_events() RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT topic FROM event_interest);
END $$;

-- Writes an event for each of its subscribers. `key` is the record concerned.
CREATE OR REPLACE FUNCTION announce(about text, key text, payload json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_outbox (subscriber, topic, key, payload)
  SELECT i.subscriber, i.topic, announce.key, announce.payload::text FROM event_interest i WHERE i.topic = about;
END $$;

-- The tenant of this schema.
CREATE OR REPLACE FUNCTION event_tenant() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN substr(current_schema(), 3);
END $$;

-- An instant in the format of events of FOLIO's modules; any other text is returned unchanged.
CREATE OR REPLACE FUNCTION event_instant(value text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN to_char(value::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
EXCEPTION WHEN data_exception THEN
  RETURN value;
END $$;

-- A change of a record, in the envelope of mod-circulation-storage and mod-users, or of mod-inventory-storage.
CREATE OR REPLACE FUNCTION announce_change(about text, key text, operation text, before jsonb, after jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
BEGIN
  IF about LIKE 'inventory.%' THEN
    PERFORM announce(about, key, json_strip_nulls(json_build_object(
      'eventId', gen_random_uuid(), 'eventTs', moment, 'tenant', event_tenant(), 'type', operation,
      'old', before, 'new', after)));
  ELSE
    PERFORM announce(about, key, json_strip_nulls(json_build_object(
      'id', gen_random_uuid(), 'type', rtrim(operation, 'E') || 'ED', 'tenant', event_tenant(), 'timestamp', moment,
      'data', json_build_object('old', before, 'new', after))));
  END IF;
END $$;
