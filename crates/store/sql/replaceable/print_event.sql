-- When slips of requests were printed, and by whom (docs/folio/slips-and-reports.md#print-events).
CREATE TABLE IF NOT EXISTS print_event (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id     uuid NOT NULL,
  requester_id   uuid NOT NULL,
  requester_name text NOT NULL,
  printed        text NOT NULL
);
CREATE INDEX IF NOT EXISTS print_event_request ON print_event (request_id, id);
