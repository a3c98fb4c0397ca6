-- Entries by barcode, item, holdings, title or loan. Without a list of pending entries, which each search would read.
CREATE INDEX IF NOT EXISTS circulation_log_item_values ON circulation_log USING gin (item_values) WITH (fastupdate = off);
-- Entries by request, for those that are anonymized.
CREATE INDEX IF NOT EXISTS circulation_log_request ON circulation_log (request_id) WHERE request_id IS NOT NULL;
