-- Writes the plain columns of one table again where they differ from those that follow from the record: `{table}`,
-- `{columns}`, and the lists of columns `{kept}` and `{derived}`, as they are and as they should be.
UPDATE {table} r SET ({columns}) = ROW ({derived})
FROM (SELECT t.id, t.xmin AS version, t.doc AS record FROM {table} t OFFSET 0) same, {table}_columns(same.record) c
WHERE same.id = r.id AND same.version = r.xmin AND ({kept}) IS DISTINCT FROM ({derived})
