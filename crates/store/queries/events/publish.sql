-- A client's event for each of its listeners. $1 its id, which is its key, too, $2 its kind, $3 the payload.
INSERT INTO event_outbox (id, subscriber, topic, key, payload)
SELECT $1, i.subscriber, i.topic, $1::uuid::text, $3 FROM event_interest i WHERE i.topic = $2
