-- Writes the plain columns of one table again where they differ from those that follow from the record: `{table}`,
-- `{columns}`, and the lists of columns `{kept}` and `{derived}`, as they are and as they should be.
UPDATE {table} r SET ({columns}) = ROW ({derived})
FROM {table} same, {table}_columns(same.doc) c
WHERE same.id = r.id AND same.doc = r.doc AND ({kept}) IS DISTINCT FROM ({derived})
