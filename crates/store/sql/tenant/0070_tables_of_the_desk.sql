-- Tables that belong to no collection. Libraries from before have them already.

-- What counts for a patron's blocks, kept in the transaction that changes it, so that a block costs the same for a
-- patron with no past and one with 50,000 closed loans.
CREATE TABLE IF NOT EXISTS patron_counters (
  user_id          uuid PRIMARY KEY,
  open_loans       int NOT NULL DEFAULT 0 CHECK (open_loans >= 0),
  claimed_returned int NOT NULL DEFAULT 0 CHECK (claimed_returned >= 0),
  lost_items       int NOT NULL DEFAULT 0 CHECK (lost_items >= 0),
  fee_balance      numeric(14,2) NOT NULL DEFAULT 0
);

-- What has happened and has not been dealt with yet: {event, loanId | requestId | feeFineActionId | loanIds, sessionId}.
CREATE TABLE IF NOT EXISTS notice_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  doc jsonb NOT NULL
);

-- A client's lock on a patron while it lends (docs/folio/desk-records.md#check-out-locks); it ends by itself.
CREATE TABLE IF NOT EXISTS check_out_lock (
  id      uuid PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE,
  created timestamptz NOT NULL,
  expires timestamptz NOT NULL
);

-- When slips of requests were printed, and by whom (docs/folio/slips-and-reports.md#print-events).
CREATE TABLE IF NOT EXISTS print_event (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id     uuid NOT NULL,
  requester_id   uuid NOT NULL,
  requester_name text NOT NULL,
  printed        text NOT NULL
);
CREATE INDEX IF NOT EXISTS print_event_request ON print_event (request_id, id);

-- Which items have a status that few items have (decision 12). An index on `state` would cost each check-out one entry
-- in every index of items. Only the triggers of items write here, so it needs no foreign key: to look for the item once more
-- costs as much as the entry.
CREATE TABLE IF NOT EXISTS item_uncommon_status (
  record_id uuid PRIMARY KEY,
  name      text NOT NULL
);
ALTER TABLE item_uncommon_status DROP CONSTRAINT IF EXISTS item_uncommon_status_record_id_fkey;
CREATE INDEX IF NOT EXISTS item_uncommon_status_name ON item_uncommon_status (name);
