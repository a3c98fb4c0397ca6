-- The id of the repository with a code. $1 code.
SELECT k.id FROM archival_key k WHERE k.scope = 'repository/repo_code' AND k.value = $1
