-- A permission of ArchivesSpace 4: whoever has it edits agents with all their parts (its migration 144).
UPDATE archival_record g
SET doc = jsonb_insert(g.doc, '{grants_permissions,0}', '"show_full_agents"')
WHERE g.kind = 'group' AND g.doc->>'group_code' IN ('repository-managers', 'repository-archivists')
  AND NOT g.doc->'grants_permissions' ? 'show_full_agents';
