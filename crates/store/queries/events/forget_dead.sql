-- Deletes the events that a subscriber refused for good. $1 its name. Returns whether the subscriber exists.
WITH gone AS (DELETE FROM event_outbox o WHERE o.subscriber = $1 AND o.dead IS NOT NULL)
SELECT EXISTS (SELECT FROM event_subscriber s WHERE s.name = $1)
