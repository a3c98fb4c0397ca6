-- A patron's counters are checked at once: PostgreSQL reads each constraint of a table again for each statement that writes to it.
ALTER TABLE patron_counters
  DROP CONSTRAINT IF EXISTS patron_counters_open_loans_check,
  DROP CONSTRAINT IF EXISTS patron_counters_claimed_returned_check,
  DROP CONSTRAINT IF EXISTS patron_counters_lost_items_check,
  DROP CONSTRAINT IF EXISTS patron_counters_not_negative,
  ADD CONSTRAINT patron_counters_not_negative CHECK (least(open_loans, claimed_returned, lost_items) >= 0);
