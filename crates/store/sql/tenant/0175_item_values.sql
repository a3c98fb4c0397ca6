-- Entries of the circulation log are found by the values of their items instead of by words, and by loan with the same index.
DROP INDEX IF EXISTS circulation_log_items_words;
DROP INDEX IF EXISTS circulation_log_loans;
ALTER TABLE IF EXISTS circulation_log DROP COLUMN IF EXISTS loans;
