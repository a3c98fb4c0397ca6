-- The subscribers of events, their state, and what waits for them.
SELECT s.name, s.broken IS NOT NULL AS broken, s.failures,
  (SELECT count(*) FROM event_outbox o WHERE o.subscriber = s.name AND o.dead IS NULL) AS waiting,
  (SELECT count(*) FROM event_outbox o WHERE o.subscriber = s.name AND o.dead IS NOT NULL) AS dead,
  coalesce(CASE WHEN s.broken IS NOT NULL OR s.failures > 0 THEN s.error END,
    (SELECT o.error FROM event_outbox o WHERE o.subscriber = s.name AND o.dead IS NOT NULL ORDER BY o.seq DESC LIMIT 1)) AS error
FROM event_subscriber s
ORDER BY s.name
