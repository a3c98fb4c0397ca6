-- E-mails form their own queue: one that is still to be sent has a `next_attempt`. The sender moves it into the future,
-- so that another process retries if the sender dies.
ALTER TABLE email_statistics ADD COLUMN IF NOT EXISTS next_attempt timestamptz;
CREATE INDEX IF NOT EXISTS email_statistics_to_send ON email_statistics (next_attempt) WHERE next_attempt IS NOT NULL;
CREATE INDEX IF NOT EXISTS email_statistics_by_date ON email_statistics (((doc->>'date') COLLATE "C"));

-- A tenant has one mail server.
CREATE UNIQUE INDEX IF NOT EXISTS smtp_configuration_only_one ON smtp_configuration ((true));

-- Scheduled notices by date.
CREATE INDEX IF NOT EXISTS scheduled_notice_due ON scheduled_notice (((doc->>'nextRunTime') COLLATE "C"));
