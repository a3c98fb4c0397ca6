-- Who wants to hear of events, and the events that are still to be delivered (decision 0017). Delivered events are
-- deleted; an event nobody asked for is never written.

-- What mod-pubsub knows of a kind of event.
CREATE TABLE event_type (
  name       text PRIMARY KEY,
  descriptor jsonb NOT NULL
);

-- Which module publishes or subscribes to which kind of event. An absolute callback address is a webhook; one that is
-- relative to the gateway is a route of ours, whose work is done in the transaction of the change itself.
CREATE TABLE messaging_module (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_type text NOT NULL,
  module_id  text NOT NULL,
  role       text NOT NULL CHECK (role IN ('PUBLISHER', 'SUBSCRIBER')),
  callback   text,
  UNIQUE (role, module_id, event_type)
);
CREATE INDEX messaging_module_event_type ON messaging_module (event_type, role);

-- One line of events for each subscriber: a module with webhooks, or Kafka. One process at a time delivers it, for as
-- long as its lease lasts. A broken one gets no further events until somebody resumes it.
CREATE TABLE event_subscriber (
  name         text PRIMARY KEY,
  secret       text,
  failures     int NOT NULL DEFAULT 0,
  retry_at     timestamptz NOT NULL DEFAULT '-infinity',
  failed       timestamptz,
  error        text,
  delivered    timestamptz,
  broken       timestamptz,
  lease        uuid,
  leased_until timestamptz NOT NULL DEFAULT '-infinity'
);

-- What is to be delivered to whom, and where to. Empty when nobody listens, which is all the desk looks at.
CREATE TABLE event_interest (
  topic      text,
  subscriber text REFERENCES event_subscriber ON DELETE CASCADE,
  address    text NOT NULL,
  PRIMARY KEY (topic, subscriber)
);

-- The outbox. Events of one key (a loan, a request, …) are delivered in the order of `seq`. A `dead` event was refused
-- so often that nobody tries again.
CREATE TABLE event_outbox (
  seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         uuid NOT NULL DEFAULT gen_random_uuid(),
  subscriber text NOT NULL,
  topic      text NOT NULL,
  key        text NOT NULL,
  payload    text NOT NULL,
  written    timestamptz NOT NULL DEFAULT now(),
  attempts   int NOT NULL DEFAULT 0,
  due        timestamptz NOT NULL DEFAULT '-infinity',
  error      text,
  dead       timestamptz
);
CREATE INDEX event_outbox_waiting ON event_outbox (subscriber, seq) WHERE dead IS NULL;
CREATE INDEX event_outbox_delayed ON event_outbox (subscriber, key, seq) WHERE dead IS NULL AND attempts > 0;
CREATE INDEX event_outbox_dead ON event_outbox (subscriber, seq) WHERE dead IS NOT NULL;

-- The kinds of events that FOLIO's circulation and fees publish, with the descriptors their modules declare.
INSERT INTO event_type (name, descriptor)
SELECT name, jsonb_build_object('eventType', name, 'description', description, 'eventTTL', 1, 'signed', false, 'tmp', false)
FROM (VALUES
  ('ITEM_CHECKED_OUT', 'Item was checked out'),
  ('ITEM_CHECKED_IN', 'Item was checked in'),
  ('ITEM_DECLARED_LOST', 'Item has been declared lost'),
  ('ITEM_AGED_TO_LOST', 'Item aged to lost'),
  ('ITEM_CLAIMED_RETURNED', 'Item was claimed returned'),
  ('LOAN_DUE_DATE_CHANGED', 'Due date for a loan has been changed'),
  ('LOAN_CLOSED', 'Loan was closed'),
  ('LOG_RECORD', 'Created log record event'),
  ('FEE_FINE_BALANCE_CHANGED', 'Patron fee/fine balance was changed'),
  ('LOAN_RELATED_FEE_FINE_CLOSED', 'A fee or fine with a loan associated has been closed')
) AS known (name, description);
