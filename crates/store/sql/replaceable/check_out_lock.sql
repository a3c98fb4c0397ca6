-- A client's lock on a patron while it lends (docs/folio/desk-records.md#check-out-locks); it ends by itself.
CREATE TABLE IF NOT EXISTS check_out_lock (
  id      uuid PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE,
  created timestamptz NOT NULL,
  expires timestamptz NOT NULL
);
