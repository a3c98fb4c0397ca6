-- Deleting a record looks for what names it as the top of its tree; without an index each of its components read the whole table.
CREATE INDEX archival_record_root ON archival_record (root_kind, root) WHERE root IS NOT NULL;
