-- Delivery of events from the outbox (decision 0017). The process that holds a subscriber's lease takes its events in
-- order, delivers them and records the outcome here. If it dies, the next holder of the lease takes over.

-- Derives the subscribers' interests from the modules' declarations: an absolute callback address is a webhook.
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

-- The subscribers with events due now and no current lease.
CREATE OR REPLACE FUNCTION due_subscribers(moment timestamptz) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT s.name FROM event_subscriber s
  WHERE s.broken IS NULL AND s.retry_at <= moment AND s.leased_until < clock_timestamp()
    AND EXISTS (SELECT FROM event_outbox o WHERE o.subscriber = s.name AND o.dead IS NULL AND o.due <= moment);
END $$;

-- Takes or extends a subscriber's lease and returns its next events with their destinations. Events wait behind an
-- event of the same key that waits for a retry. Returns no rows if another process holds the lease or nothing is due.
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

-- Records the outcome of a batch. Delivered events are deleted; refused ones ([{seq, error, due}], without `due` after
-- the last attempt) wait or become dead. `fault` says why the subscriber was unreachable; it gets nothing before
-- `retry`. Refusals count only while the process holds the lease, which it loses if the subscriber is resumed
-- meanwhile.
CREATE OR REPLACE FUNCTION settle_events(
  of_subscriber text, me uuid, moment timestamptz, delivered bigint[], refused jsonb, fault text, retry timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counts boolean;
BEGIN
  -- Locks the subscriber before its events, as resume_subscriber does.
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

-- Releases the lease, even one lost because the subscriber was resumed.
CREATE OR REPLACE FUNCTION release_subscriber(of_subscriber text, me uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_subscriber s SET lease = NULL, leased_until = '-infinity'
  WHERE s.name = of_subscriber AND (s.lease = me OR s.lease IS NULL);
END $$;

-- Marks subscribers as broken that have too many events or one that is too old: they get nothing until they are
-- resumed. Undelivered events are kept until `forget`. Returns the newly broken subscribers.
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

-- Resumes a broken or waiting subscriber from its oldest event; dead events are tried once more. A process delivering
-- to it loses its lease, so that an earlier failure cannot delay it again; no other process delivers until that one has
-- finished.
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

-- Sends the events of Carrel's own topics to Kafka; null stops that and removes Kafka's queue with its events.
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

-- Replaces what a module publishes or subscribes to. A subscriber may name event types that have no descriptor yet.
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
