-- The schemas that look like a tenant's, with whether each keeps the history of its migrations.
SELECT nspname AS schema, to_regclass(format('%I.schema_history', nspname)) IS NOT NULL AS has_history
FROM pg_namespace WHERE nspname ~ '^t_[a-z][a-z0-9]*$' ORDER BY 1
