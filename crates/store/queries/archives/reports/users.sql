-- Users of the archives with their groups.
SELECT json_build_object(
  'id', u.number, 'identifier', u.record->>'username', 'name', u.record->>'name', 'department', u.record->>'department',
  'email', u.record->>'email', 'telephone', u.record->>'telephone', 'source', u.record->>'source',
  'is_system_user', archival_report_flag(u.record->'is_system_user'),
  'is_hidden_user', archival_report_flag(u.record->'is_hidden_user'), 'title', u.record->>'title',
  'groups', (SELECT json_agg(json_build_object('description', g.doc->>'description') ORDER BY g.id)
             FROM archives_group_member m JOIN archival_record g ON g.kind = 'group' AND g.id = m.group_id
             WHERE m.user_id = u.user_id)) AS row
FROM archives_user_records((SELECT array_agg(n.id ORDER BY n.id) FROM archives_user n)) u ORDER BY u.number
