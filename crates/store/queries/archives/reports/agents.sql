-- Agents by the names that are shown of them, without those of users and those without a source.
SELECT json_build_object(
  'sort_name', r.doc#>>'{display_name,sort_name}',
  'name_type', CASE r.kind WHEN 'agent_person' THEN 'Person' WHEN 'agent_family' THEN 'Family' ELSE 'Corporate' END,
  'name_source', r.doc#>>'{display_name,source}') AS row
FROM archival_record r
WHERE r.kind IN ('agent_person', 'agent_family', 'agent_corporate_entity') AND r.doc#>>'{display_name,source}' IS NOT NULL
  AND NOT EXISTS (SELECT FROM archives_user u WHERE r.kind = 'agent_person' AND u.agent = r.id)
ORDER BY r.kind DESC, r.id
