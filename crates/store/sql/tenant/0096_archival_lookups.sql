-- What earlier migrations of the same transaction wrote is checked now: PostgreSQL indexes no table that waits for checks.
SET CONSTRAINTS ALL IMMEDIATE;

-- Identifiers by which clients look for records without knowing the tree they are in.
CREATE INDEX archival_ref_id ON archival_record (repository, (doc->>'ref_id')) WHERE kind = 'archival_object';
CREATE INDEX archival_component_id ON archival_record (kind, repository, (doc->>'component_id')) WHERE doc ? 'component_id';
CREATE INDEX archival_indicator ON archival_record (repository, (doc->>'indicator')) WHERE kind = 'top_container';
CREATE INDEX archival_external_id ON archival_record USING gin ((doc->'external_ids') jsonb_path_ops)
  WHERE doc->'external_ids' <> '[]';
CREATE INDEX archival_deletion_time ON archival_deletion (deleted, seq);

-- The place of repositories in lists of clients.
UPDATE archival_record r SET doc = r.doc || jsonb_build_object('position', o.place)
FROM (SELECT o.id, row_number() OVER (ORDER BY o.id) - 1 AS place FROM archival_record o WHERE o.kind = 'repository') o
WHERE r.kind = 'repository' AND r.id = o.id;
