-- Writes a client's event for each subscriber. $1 its id, also its key, $2 its type, $3 the payload.
INSERT INTO event_outbox (id, subscriber, topic, key, payload)
SELECT $1, i.subscriber, i.topic, $1::uuid::text, $3 FROM event_interest i WHERE i.topic = $2
