-- The repository of the record that refers, 0 for those of none: in which repositories an agent or subject is used, and in what
-- roles, is read from the index, a step for each, however many records there are.
ALTER TABLE archival_reference ADD COLUMN repository bigint NOT NULL DEFAULT 0;
UPDATE archival_reference x SET repository = r.repository
FROM archival_record r WHERE r.kind = x.kind AND r.id = x.id AND r.repository IS NOT NULL;
ALTER TABLE archival_reference ALTER COLUMN repository DROP DEFAULT;
DROP INDEX archival_reference_target;
CREATE INDEX archival_reference_target
ON archival_reference (target_kind, target_id, kind, repository, property, role, id);
