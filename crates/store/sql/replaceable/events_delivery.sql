-- How events leave the outbox (decision 0017). A process that holds the lease of a subscriber takes its events in order,
-- delivers them and says here how it went; one that dies leaves them to whoever takes the lease after it.

-- What subscribers are to get follows from what modules have declared: an absolute callback address is a webhook.
CREATE OR REPLACE FUNCTION settle_interests() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '.event_interest', 0));
  INSERT INTO event_subscriber (name)
  SELECT DISTINCT m.module_id FROM messaging_module m WHERE m.role = 'SUBSCRIBER' AND m.callback ~* '^https?://'
  ON CONFLICT DO NOTHING;
  DELETE FROM event_subscriber s
  WHERE s.name <> '(kafka)' AND NOT EXISTS (
    SELECT FROM messaging_module m
    WHERE m.module_id = s.name AND m.role = 'SUBSCRIBER' AND m.callback ~* '^https?://');
  DELETE FROM event_interest i
  WHERE EXISTS (SELECT FROM event_subscriber s WHERE s.name = i.subscriber AND s.broken IS NOT NULL)
    OR i.subscriber <> '(kafka)' AND NOT EXISTS (
      SELECT FROM messaging_module m
      WHERE m.module_id = i.subscriber AND m.event_type = i.topic AND m.role = 'SUBSCRIBER' AND m.callback ~* '^https?://');
  INSERT INTO event_interest AS i (topic, subscriber, address)
  SELECT m.event_type, m.module_id, m.callback
  FROM messaging_module m JOIN event_subscriber s ON s.name = m.module_id AND s.broken IS NULL
  WHERE m.role = 'SUBSCRIBER' AND m.callback ~* '^https?://'
  ON CONFLICT (topic, subscriber) DO UPDATE SET address = excluded.address WHERE i.address <> excluded.address;
END $$;

CREATE OR REPLACE FUNCTION messaging_module_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_interests();
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messaging_module_changed AFTER INSERT OR UPDATE OR DELETE ON messaging_module
  FOR EACH STATEMENT EXECUTE FUNCTION messaging_module_changed();

-- The subscribers that have events to be delivered now and that nobody delivers to.
CREATE OR REPLACE FUNCTION due_subscribers(moment timestamptz) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT s.name FROM event_subscriber s
  WHERE s.broken IS NULL AND s.retry_at <= moment AND s.leased_until < clock_timestamp()
    AND EXISTS (SELECT FROM event_outbox o WHERE o.subscriber = s.name AND o.dead IS NULL AND o.due <= moment);
END $$;

-- Takes the lease of a subscriber, or prolongs it, and returns its next events, each with where it goes to. Behind an
-- event that waits to be tried again, those of the same key wait, too. No row when another process has the lease, or
-- when nothing is to be done.
CREATE OR REPLACE FUNCTION take_events(of_subscriber text, me uuid, moment timestamptz, seconds float8, at_most int)
RETURNS TABLE (seq bigint, id uuid, topic text, key text, payload text, written timestamptz, attempts int, failures int,
               address text, secret text)
LANGUAGE plpgsql AS $$
DECLARE
  known_secret text;
  known_failures int;
BEGIN
  UPDATE event_subscriber s
  SET lease = me, leased_until = clock_timestamp() + make_interval(secs => seconds)
  WHERE s.name = of_subscriber AND s.broken IS NULL AND s.retry_at <= moment
    AND (s.lease = me OR s.leased_until < clock_timestamp())
  RETURNING s.secret, s.failures INTO known_secret, known_failures;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT o.seq, o.id, o.topic, o.key, o.payload, o.written, o.attempts, known_failures, i.address, known_secret
  FROM event_outbox o JOIN event_interest i ON i.topic = o.topic AND i.subscriber = o.subscriber
  WHERE o.subscriber = of_subscriber AND o.dead IS NULL AND o.due <= moment
    AND NOT EXISTS (
      SELECT FROM event_outbox e
      WHERE e.subscriber = o.subscriber AND e.key = o.key AND e.seq < o.seq AND e.dead IS NULL AND e.attempts > 0
        AND e.due > moment)
  ORDER BY o.seq LIMIT at_most;
END $$;

-- Records how a batch went: what was delivered is deleted, what was refused ([{seq, error, due}], without `due` for the
-- last time) waits or is dead. `fault` is why the subscriber could not be reached; it gets nothing before `retry`. What
-- was refused counts only while the process still has the lease: it loses it when the subscriber is resumed meanwhile.
CREATE OR REPLACE FUNCTION settle_events(
  of_subscriber text, me uuid, moment timestamptz, delivered bigint[], refused jsonb, fault text, retry timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counts boolean;
BEGIN
  -- The subscriber before its events, as when it is resumed.
  UPDATE event_subscriber s
  SET failures = CASE WHEN fault IS NULL THEN 0 ELSE s.failures + 1 END,
      error = coalesce(fault, s.error), failed = CASE WHEN fault IS NULL THEN s.failed ELSE moment END,
      retry_at = coalesce(retry, '-infinity'),
      delivered = CASE WHEN cardinality(settle_events.delivered) > 0 THEN moment ELSE s.delivered END
  WHERE s.name = of_subscriber AND s.lease = me;
  counts := FOUND;
  DELETE FROM event_outbox o WHERE o.seq = ANY (settle_events.delivered);
  UPDATE event_outbox o
  SET attempts = o.attempts + 1, error = r.error, due = coalesce(r.due, o.due),
      dead = CASE WHEN r.due IS NULL THEN moment END
  FROM jsonb_to_recordset(refused) AS r (seq bigint, error text, due timestamptz)
  WHERE o.seq = r.seq AND counts;
END $$;

-- Gives the lease back, also one that was lost because the subscriber was resumed.
CREATE OR REPLACE FUNCTION release_subscriber(of_subscriber text, me uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_subscriber s SET lease = NULL, leased_until = '-infinity'
  WHERE s.name = of_subscriber AND (s.lease = me OR s.lease IS NULL);
END $$;

-- A subscriber with too many events, or with one that is too old, is broken: it gets no more until it is resumed. What
-- it did not get stays until `forget` has passed, and then it is gone. Returns those that broke now.
CREATE OR REPLACE FUNCTION break_subscribers(
  moment timestamptz, at_most bigint, oldest timestamptz, forget timestamptz)
RETURNS TABLE (name text, pending bigint) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_outbox o
  WHERE o.written < forget OR NOT EXISTS (SELECT FROM event_subscriber s WHERE s.name = o.subscriber)
    OR NOT EXISTS (SELECT FROM event_interest i WHERE i.subscriber = o.subscriber AND i.topic = o.topic)
       AND NOT EXISTS (SELECT FROM event_subscriber s WHERE s.name = o.subscriber AND s.broken IS NOT NULL);
  RETURN QUERY
  WITH backlog AS (
    SELECT o.subscriber, count(*) AS events, min(o.written) FILTER (WHERE o.dead IS NULL) AS since
    FROM event_outbox o GROUP BY o.subscriber)
  UPDATE event_subscriber s SET broken = moment
  FROM backlog b
  WHERE b.subscriber = s.name AND s.broken IS NULL AND (b.events > at_most OR b.since < oldest)
  RETURNING s.name, b.events;
  IF FOUND THEN
    PERFORM settle_interests();
  END IF;
END $$;

-- A broken subscriber, or one that waits, gets its events again, from the oldest on; dead ones are tried once more. A
-- process that is delivering to it loses its lease, so that a failure from before does not make it wait again; until
-- that process is done, nobody else delivers.
CREATE OR REPLACE FUNCTION resume_subscriber(of_subscriber text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_subscriber s SET broken = NULL, failures = 0, retry_at = '-infinity', lease = NULL
  WHERE s.name = of_subscriber;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE event_outbox o SET dead = NULL, attempts = 0, due = '-infinity', written = now()
  WHERE o.subscriber = of_subscriber;
  PERFORM settle_interests();
  RETURN true;
END $$;

-- Sends the events of Carrel's own topics to Kafka, or no longer: null takes Kafka's line away with all in it.
CREATE OR REPLACE FUNCTION listen_with_kafka(topics text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '.event_interest', 0));
  IF topics IS NULL THEN
    DELETE FROM event_subscriber s WHERE s.name = '(kafka)';
    RETURN;
  END IF;
  INSERT INTO event_subscriber (name) VALUES ('(kafka)') ON CONFLICT DO NOTHING;
  INSERT INTO event_interest (topic, subscriber, address)
  SELECT t, '(kafka)', 'kafka:' FROM unnest(topics) t
  WHERE NOT EXISTS (SELECT FROM event_subscriber s WHERE s.name = '(kafka)' AND s.broken IS NOT NULL)
  ON CONFLICT DO NOTHING;
  DELETE FROM event_interest i WHERE i.subscriber = '(kafka)' AND i.topic <> ALL (topics);
END $$;

-- What a module says it publishes or listens to, in place of what it said before. A subscriber may name events that
-- nobody has described yet.
CREATE OR REPLACE FUNCTION declare_messaging_module(module text, of_role text, types text[], callbacks text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_type (name, descriptor)
  SELECT t, jsonb_build_object('eventType', t, 'eventTTL', 1, 'signed', false, 'tmp', true) FROM unnest(types) t
  ON CONFLICT DO NOTHING;
  DELETE FROM messaging_module m
  WHERE m.module_id = module AND m.role = of_role AND m.event_type <> ALL (types);
  INSERT INTO messaging_module AS m (event_type, module_id, role, callback)
  SELECT DISTINCT ON (d.name) d.name, module, of_role, d.callback
  FROM unnest(types, callbacks) WITH ORDINALITY AS d (name, callback, place) ORDER BY d.name, d.place DESC
  ON CONFLICT (role, module_id, event_type) DO UPDATE SET callback = excluded.callback;
END $$;
