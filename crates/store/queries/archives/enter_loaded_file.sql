-- Notes that a file was loaded. $1 repository, $2 digest, $3 id of its resource.
INSERT INTO archives_loaded_file (repository, digest, resource) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
