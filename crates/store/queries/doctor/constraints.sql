-- The constraints and triggers of Carrel's schemas: kind (c, t), and whether each is enabled and validated. Those that
-- announce events are disabled while nobody listens.
SELECT n.nspname AS schema, t.relname AS on_table, c.conname AS name, 'c' AS kind, c.convalidated AS in_force
FROM pg_constraint c
JOIN pg_class t ON t.oid = c.conrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = 'carrel' OR n.nspname ~ '^t_[a-z][a-z0-9]*$'
UNION ALL
SELECT n.nspname, t.relname, g.tgname, 't', g.tgenabled <> 'D' OR g.tgname LIKE 'event\_%'
FROM pg_trigger g
JOIN pg_class t ON t.oid = g.tgrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE NOT g.tgisinternal AND (n.nspname = 'carrel' OR n.nspname ~ '^t_[a-z][a-z0-9]*$')
ORDER BY 1, 2, 3
