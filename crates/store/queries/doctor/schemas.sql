-- The schemas named like a tenant's, and whether each has a history of migrations.
SELECT nspname AS schema, to_regclass(format('%I.schema_history', nspname)) IS NOT NULL AS has_history
FROM pg_namespace WHERE nspname ~ '^t_[a-z][a-z0-9]*$' ORDER BY 1
