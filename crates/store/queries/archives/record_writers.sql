-- The transactions that are writing records of the archives: they hold a lock on the table until they end.
SELECT DISTINCT l.virtualtransaction AS writer
FROM pg_locks l
WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid() AND l.relation = 'archival_record'::regclass
  AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
