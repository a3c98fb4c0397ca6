-- Statements run repeatedly on this database, slowest first. {schema} is that of pg_stat_statements.
SELECT s.query, s.calls, s.mean_exec_time AS mean_ms, s.rows::float8 / s.calls AS rows_each
FROM {schema}.pg_stat_statements s
JOIN pg_database d ON d.oid = s.dbid
WHERE d.datname = current_database() AND s.calls >= 10 AND s.query ~* '^\s*(select|insert|update|delete|with)\M'
ORDER BY s.mean_exec_time DESC
LIMIT 200
