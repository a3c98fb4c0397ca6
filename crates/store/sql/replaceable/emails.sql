-- E-mails are their own queue: one that is to be sent has a `next_attempt`, and who sends it puts that off meanwhile, so
-- that it is tried again by somebody when the sender dies.
ALTER TABLE email_statistics ADD COLUMN IF NOT EXISTS next_attempt timestamptz;
CREATE INDEX IF NOT EXISTS email_statistics_to_send ON email_statistics (next_attempt) WHERE next_attempt IS NOT NULL;
CREATE INDEX IF NOT EXISTS email_statistics_by_date ON email_statistics (((doc->>'date') COLLATE "C"));

-- A tenant has one way out.
CREATE UNIQUE INDEX IF NOT EXISTS smtp_configuration_only_one ON smtp_configuration ((true));
