-- The indexes of Carrel's schemas.
SELECT n.nspname AS schema, t.relname AS on_table, i.relname AS name, x.indisvalid AND x.indisready AS valid,
       x.indisunique AS is_unique, coalesce(s.idx_scan, 0) AS scans, pg_relation_size(i.oid) AS bytes
FROM pg_index x
JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_class t ON t.oid = x.indrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
LEFT JOIN pg_stat_all_indexes s ON s.indexrelid = x.indexrelid
WHERE n.nspname = 'carrel' OR n.nspname ~ '^t_[a-z][a-z0-9]*$'
ORDER BY 1, 2, 3
