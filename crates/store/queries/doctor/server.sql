-- The server, its clock and connections, and the transactions that block vacuum.
SELECT current_setting('server_version')                                        AS version,
       clock_timestamp()                                                        AS clock,
       coalesce(d.stats_reset, pg_postmaster_start_time())                      AS counting_since,
       pg_database_size(d.datname)                                              AS bytes,
       age(c.datfrozenxid)                                                      AS transaction_age,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
       (SELECT count(*) FROM pg_stat_activity
        WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '5 minutes') AS forgotten,
       (SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0)::float8 FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())      AS longest_seconds,
       (SELECT count(*) FROM pg_prepared_xacts WHERE prepared < now() - interval '1 hour') AS prepared,
       to_regclass('carrel.tenant') IS NOT NULL                                 AS has_system,
       (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'pg_stat_statements')                                 AS statement_statistics
FROM pg_database c JOIN pg_stat_database d ON d.datid = c.oid
WHERE c.datname = current_database()
