-- Deletes a user's entries in the log-in log. $1 the user.
DELETE FROM event_logs
  WHERE carrel.folded_key(doc->>'userId') COLLATE "C" = carrel.folded_key($1)
