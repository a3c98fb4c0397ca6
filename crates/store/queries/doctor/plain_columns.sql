-- Rows of one table whose plain columns differ from those that follow from the record (decision 36): their number and an
-- example's id. `{table}` is the table, `{sample}` limits the rows of a very large one, `{kept}` and `{derived}` are the
-- lists of columns as they are and as they should be.
SELECT count(*) AS rows, min(r.id::text) AS example
FROM (SELECT r.*, r.doc AS record FROM {table} r {sample} OFFSET 0) r, {table}_columns(r.record) c
WHERE ({kept}) IS DISTINCT FROM ({derived})
