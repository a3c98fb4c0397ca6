-- Human-readable ids: one row of settings and one sequence for each kind of record (folio-platform §4.2).
-- A sequence hands out numbers without a lock that concurrent loaders would wait for.
CREATE TABLE hrid_settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  doc      jsonb   NOT NULL
);
INSERT INTO hrid_settings (doc) VALUES ('{"id": "a501f2a8-5b31-48b2-874d-2191e48db8cd",
  "instances": {"prefix": "in", "startNumber": 1}, "holdings": {"prefix": "ho", "startNumber": 1},
  "items": {"prefix": "it", "startNumber": 1}, "commonRetainLeadingZeroes": true}');

CREATE SEQUENCE hrid_instances_seq MINVALUE 0 MAXVALUE 99999999999 START 1;
CREATE SEQUENCE hrid_holdings_seq  MINVALUE 0 MAXVALUE 99999999999 START 1;
CREATE SEQUENCE hrid_items_seq     MINVALUE 0 MAXVALUE 99999999999 START 1;
