-- The attributes that assessments of a repository can have, first those of all. $1 repository.
SELECT coalesce(jsonb_agg(jsonb_build_object(
  'id', d.id, 'label', d.label, 'type', d.type, 'global', d.repository = 1, 'readonly', d.readonly,
  'position', d.place) ORDER BY d.repository, d.position, d.id), '[]') AS definitions
FROM (SELECT d.*, row_number() OVER (PARTITION BY d.repository, d.type ORDER BY d.position, d.id) - 1 AS place
      FROM archival_attribute d WHERE d.repository IN (1, $1)) d
