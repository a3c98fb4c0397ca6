-- The subscribers, their state, and what waits for them.
SELECT jsonb_strip_nulls(jsonb_build_object(
  'moduleId', s.name,
  'state', CASE WHEN s.broken IS NOT NULL THEN 'broken' WHEN s.failures > 0 THEN 'waiting' ELSE 'active' END,
  'signed', s.secret IS NOT NULL,
  'waiting', o.waiting, 'dead', o.dead, 'oldest', event_instant(o.oldest::text),
  'failures', s.failures, 'lastError', s.error, 'lastFailure', event_instant(s.failed::text),
  'lastDelivery', event_instant(s.delivered::text), 'brokenSince', event_instant(s.broken::text),
  'nextTry', CASE WHEN s.retry_at > '-infinity' THEN event_instant(s.retry_at::text) END))
FROM event_subscriber s CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE e.dead IS NULL) AS waiting, count(*) FILTER (WHERE e.dead IS NOT NULL) AS dead,
         min(e.written) FILTER (WHERE e.dead IS NULL) AS oldest
  FROM event_outbox e WHERE e.subscriber = s.name) o
ORDER BY s.name
