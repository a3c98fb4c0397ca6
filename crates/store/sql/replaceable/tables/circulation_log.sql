-- Entries by loan: an anonymized loan, and the loans of an item or a patron.
CREATE INDEX IF NOT EXISTS circulation_log_loans ON circulation_log USING gin (loans);
-- Entries by request, for those that are anonymized.
CREATE INDEX IF NOT EXISTS circulation_log_request ON circulation_log (request_id) WHERE request_id IS NOT NULL;
