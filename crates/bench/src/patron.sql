-- The past of the busy patron: 10,000 closed loans, 500 open ones and 200 fees. Does nothing the second time.
SET search_path = t_diku, carrel;
CREATE OR REPLACE FUNCTION pg_temp.lent(nth bigint, item uuid, status text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('id', md5('bench loan ' || status || nth)::uuid, 'itemId', item,
    'userId', '5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d02', 'status', jsonb_build_object('name', status),
    'action', CASE status WHEN 'Open' THEN 'checkedout' ELSE 'checkedin' END,
    'itemStatus', CASE status WHEN 'Open' THEN 'Checked out' ELSE 'Available' END,
    'loanDate', to_char(now() - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'dueDate', to_char(now() + interval '300 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'loanPolicyId', (SELECT id FROM loan_policy ORDER BY seq LIMIT 1))
$$;
SELECT add_loans(array_agg(l))
FROM (SELECT pg_temp.lent(row_number() OVER (), id, 'Closed') l FROM item ORDER BY seq DESC LIMIT 10000) made
WHERE NOT EXISTS (SELECT FROM loan known WHERE known.id = (l->>'id')::uuid)
\g /dev/null
CREATE TEMP TABLE lent AS
SELECT i.id, row_number() OVER () AS nth FROM item_record i
WHERE i.state#>>'{status,name}' = 'Available'
  AND NOT EXISTS (SELECT FROM loan l WHERE l.open_borrower = '5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d02')
ORDER BY i.seq DESC LIMIT 500;
SELECT add_loans(array_agg(pg_temp.lent(nth, id, 'Open'))) FROM lent
\g /dev/null
UPDATE item_state s SET state = s.state || '{"status": {"name": "Checked out"}}' FROM lent WHERE s.id = lent.id;
SELECT add_missing_accounts(array_agg(a))
FROM (SELECT jsonb_build_object('id', md5('bench fee ' || nth)::uuid, 'userId', '5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d02',
        'feeFineId', (SELECT id FROM feefines ORDER BY seq LIMIT 1), 'ownerId', (SELECT id FROM owners ORDER BY seq LIMIT 1),
        'amount', 1.25, 'remaining', 1.25, 'status', '{"name": "Open"}'::jsonb,
        'paymentStatus', '{"name": "Outstanding"}'::jsonb) a
      FROM generate_series(1, 200) AS nth) made
\g /dev/null
ANALYZE loan; ANALYZE accounts;
