-- The loan closed by a check-in, for the circulation log.
ALTER TABLE check_in ADD COLUMN IF NOT EXISTS closed_loan uuid;
