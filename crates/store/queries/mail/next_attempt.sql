-- When the next e-mail is to be sent.
SELECT min(next_attempt) FROM email_statistics WHERE next_attempt IS NOT NULL
