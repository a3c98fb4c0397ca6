-- Value lists as a GET returns them, without what they are used for. $1 an id, $2 a name; both null: all of them.
SELECT jsonb_strip_nulls(jsonb_build_object(
         'lock_version', l.lock_version, 'name', l.name, 'default_value', l.default_value, 'editable', l.editable,
         'created_by', l.created_by, 'last_modified_by', l.last_modified_by, 'create_time', archival_time(l.create_time),
         'system_mtime', archival_time(l.user_mtime), 'user_mtime', archival_time(l.user_mtime),
         'jsonmodel_type', 'enumeration', 'uri', '/config/enumerations/' || l.id,
         'enumeration_values', coalesce(v.records, '[]'), 'values', coalesce(v.listed, '[]'),
         'readonly_values', coalesce(v.readonly, '[]'))) AS record
FROM archival_value_list l
CROSS JOIN LATERAL (
  SELECT jsonb_agg(archival_listed_value_record(v) ORDER BY v.position) AS records,
         jsonb_agg(v.value ORDER BY v.position) FILTER (WHERE NOT v.suppressed) AS listed,
         jsonb_agg(v.value ORDER BY v.position) FILTER (WHERE v.readonly AND NOT v.suppressed) AS readonly
  FROM archival_listed_value v WHERE v.list = l.id) v
WHERE ($1::bigint IS NULL OR l.id = $1) AND ($2::text IS NULL OR l.name = $2)
ORDER BY l.id
