-- Loans and requests whose time has run out, of items that the desk's clients (who take the first 20,000) do not use.
SET search_path = t_diku, carrel;
UPDATE lost_item_fee_policy SET doc = doc || '{"itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"},
  "patronBilledAfterAgedLost": {"duration": 100, "intervalId": "Weeks"}}';
CREATE TEMP TABLE due AS
SELECT i.id AS item, h.instanceid AS title, h.id AS holdings, row_number() OVER (ORDER BY i.seq) AS nth
FROM item_record i JOIN holdings_record h ON h.id = i.holdingsrecordid
WHERE i.state#>>'{status,name}' = 'Available' ORDER BY i.seq OFFSET 20000 LIMIT 100000;
CREATE TEMP TABLE people AS SELECT id, row_number() OVER (ORDER BY seq) - 1 AS nth FROM users;
CREATE TEMP TABLE lost AS SELECT id, row_number() OVER (ORDER BY seq) - 1 AS nth FROM lost_item_fee_policy;
-- Neighbours on the shelf are not due one after the other.
SELECT add_loans(array_agg(jsonb_build_object('id', due.id, 'itemId', due.item, 'userId', p.id, 'status', '{"name": "Open"}'::jsonb,
  'action', 'checkedout', 'itemStatus', 'Checked out', 'loanDate', '2026-01-01T09:00:00.000+00:00',
  'dueDate', to_char('2026-02-01T09:00:00Z'::timestamptz + due.nth * 7919 % 100003 * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
  'loanPolicyId', (SELECT id FROM loan_policy ORDER BY seq LIMIT 1), 'lostItemPolicyId', l.id)))
FROM (SELECT carrel.new_id() AS id, due.* FROM due) due
  JOIN people p ON p.nth = due.nth % (SELECT count(*) FROM people)
  JOIN lost l ON l.nth = due.nth % (SELECT count(*) FROM lost)
\g /dev/null
UPDATE item_state s SET state = s.state || '{"status": {"name": "Checked out"}}' FROM due WHERE s.id = due.item;
SELECT add_requests(array_agg(jsonb_build_object('id', due.id, 'requestLevel', 'Item', 'requestType', 'Hold', 'requesterId', p.id,
  'itemId', due.item, 'instanceId', due.title, 'holdingsRecordId', due.holdings, 'status', 'Open - Not yet filled',
  'position', 1, 'requestDate', '2026-01-02T09:00:00.000+00:00', 'fulfillmentPreference', 'Hold Shelf',
  'requestExpirationDate', '2026-03-01T09:00:00.000+00:00',
  'pickupServicePointId', '3a40852d-49fd-4df2-a1f9-6e2641a6e91f')))
FROM (SELECT carrel.new_id() AS id, due.* FROM due) due
  JOIN people p ON p.nth = (due.nth + 7) % (SELECT count(*) FROM people)
\g /dev/null
-- As the autovacuum leaves tables in which these loans were made over weeks.
VACUUM (ANALYZE) loan; VACUUM (ANALYZE) request; VACUUM (ANALYZE) item_state;
