-- Removes a user from the log of log-ins. $1 the user.
DELETE FROM event_logs
  WHERE (left(carrel.fold(doc->>'userId'), 600) COLLATE "C") = left(carrel.fold($1), 600)
