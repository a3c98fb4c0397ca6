-- Those of some files that were loaded into a repository. $1 repository, $2 digests.
SELECT l.digest FROM archives_loaded_file l WHERE l.repository = $1 AND l.digest = ANY ($2::text[])
