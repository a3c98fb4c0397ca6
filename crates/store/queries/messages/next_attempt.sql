-- The time of the next attempt to send an e-mail.
SELECT min(next_attempt) FROM email_statistics WHERE next_attempt IS NOT NULL
