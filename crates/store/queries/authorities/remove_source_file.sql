-- Deletes a source file. $1 id.
DELETE FROM authority_source_file f WHERE f.id = $1::uuid
