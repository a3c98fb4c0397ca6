-- The write set of a check-out and of a check-in, ready for pgbench: the statements that write ordinary ones, with records of
-- the same size.
SET search_path = t_diku, carrel;
CREATE OR REPLACE FUNCTION bench_check_out(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pair bench_pair;
  held record;
  at text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"');
  loan uuid := carrel.new_id();
  session uuid := carrel.new_id();
  stamp jsonb;
BEGIN
  SELECT * INTO pair FROM bench_pair p WHERE p.n = bench_check_out.n;
  SELECT i.xmin::text AS row, i.state INTO held FROM item_state i WHERE i.id = pair.item;
  stamp := jsonb_build_object('updatedDate', at, 'updatedByUserId', pair.patron);
  PERFORM bench_write_check_out(pair.item, held.row,
    next_item_state(held.state, jsonb_build_object('status', jsonb_build_object('name', 'Checked out', 'date', at)), stamp),
    loan,
    jsonb_build_object('id', loan, 'userId', pair.patron, 'itemId', pair.item, 'status', '{"name":"Open"}'::jsonb,
      'action', 'checkedout', 'loanDate', at, 'dueDate', at, 'itemStatus', 'Checked out', 'loanPolicyId', session,
      'overdueFinePolicyId', session, 'lostItemPolicyId', session, 'checkoutServicePointId', session,
      'itemEffectiveLocationIdAtCheckOut', session, 'patronGroupIdAtCheckout', session,
      'metadata', stamp || jsonb_build_object('createdDate', at, 'createdByUserId', pair.patron)),
    carrel.new_id(), pair.patron, NULL, NULL, session,
    jsonb_build_object('id', session, 'patronId', pair.patron, 'loanId', loan, 'actionType', 'Check-out', 'metadata', stamp),
    NULL, false);
END $$;
CREATE OR REPLACE FUNCTION bench_check_in(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  pair bench_pair;
  held record;
  lent record;
  at text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"');
  session uuid := carrel.new_id();
  check_in uuid := carrel.new_id();
  stamp jsonb;
BEGIN
  SELECT * INTO pair FROM bench_pair p WHERE p.n = bench_check_in.n;
  SELECT i.xmin::text AS row, i.state INTO held FROM item_state i WHERE i.id = pair.item;
  SELECT l.xmin::text AS row, l.id, l.doc INTO lent FROM loan l WHERE l.open_item = pair.item;
  stamp := jsonb_build_object('updatedDate', at, 'updatedByUserId', pair.patron);
  PERFORM bench_write_check_in(pair.item, held.row,
    next_item_state(held.state, jsonb_build_object('status', jsonb_build_object('name', 'Available', 'date', at),
      'lastCheckIn', jsonb_build_object('dateTime', at, 'servicePointId', session, 'staffMemberId', pair.patron)), stamp),
    lent.id, lent.row, 'Checked out',
    lent.doc || jsonb_build_object('status', '{"name":"Closed"}'::jsonb, 'action', 'checkedin', 'returnDate', at,
      'systemReturnDate', at, 'checkinServicePointId', session, 'itemStatus', 'Available',
      'metadata', (lent.doc->'metadata') || stamp),
    pair.patron, carrel.new_id(), check_in,
    jsonb_build_object('id', check_in, 'occurredDateTime', at, 'itemId', pair.item, 'servicePointId', session,
      'performedByUserId', pair.patron, 'itemStatusPriorToCheckIn', 'Checked out', 'itemLocationId', session,
      'requestQueueSize', 0),
    session,
    jsonb_build_object('id', session, 'patronId', pair.patron, 'loanId', lent.id, 'actionType', 'Check-in',
      'metadata', stamp),
    NULL, NULL,
    jsonb_build_object('status', '{"name":"Open"}'::jsonb, 'action', 'checkedout', 'itemStatus', 'Checked out',
      'metadata', lent.doc->'metadata'),
    '{returnDate,systemReturnDate,checkinServicePointId}');
END $$;
