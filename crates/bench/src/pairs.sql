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
    loan, NULL, carrel.new_id(), pair.patron, NULL, NULL, session, at, pair.patron, NULL, false, at, at, session, 'checkedout',
    session, session, session, session, session);
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
  SELECT l.xmin::text AS row, l.id INTO lent FROM loan l WHERE l.open_item = pair.item;
  stamp := jsonb_build_object('updatedDate', at, 'updatedByUserId', pair.patron);
  PERFORM bench_write_check_in(pair.item, held.row,
    next_item_state(held.state, jsonb_build_object('status', jsonb_build_object('name', 'Available', 'date', at),
      'lastCheckIn', jsonb_build_object('dateTime', at, 'servicePointId', session, 'staffMemberId', pair.patron)), stamp),
    lent.id, lent.row, 'Checked out', 'Available',
    pair.patron, carrel.new_id(), check_in, at, session, NULL, NULL, NULL,
    jsonb_build_object('status', '{"name":"Open"}'::jsonb, 'action', 'checkedout', 'itemStatus', 'Checked out',
      'metadata', stamp || jsonb_build_object('createdDate', at, 'createdByUserId', pair.patron)),
    '{returnDate,systemReturnDate,checkinServicePointId}', session, pair.patron, 'Checked out', session, at);
END $$;
