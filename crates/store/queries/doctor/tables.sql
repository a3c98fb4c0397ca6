-- The tables of Carrel's schemas: live and dead rows, and when they were last vacuumed and analyzed.
SELECT schemaname AS schema, relname AS name, n_live_tup AS live, n_dead_tup AS dead,
       greatest(last_vacuum, last_autovacuum) AS vacuumed, greatest(last_analyze, last_autoanalyze) AS analyzed,
       pg_total_relation_size(relid) AS bytes
FROM pg_stat_user_tables
WHERE schemaname = 'carrel' OR schemaname ~ '^t_[a-z][a-z0-9]*$'
ORDER BY 1, 2
