-- Deletes changes that every index has seen, some at a time. $1 up to which moment.
DELETE FROM archival_change c WHERE c.seq IN (
  SELECT o.seq FROM archival_change o WHERE o.at < $1::timestamptz ORDER BY o.seq LIMIT 5000)
