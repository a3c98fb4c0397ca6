-- Whether there is such a repository. $1 id.
SELECT EXISTS (SELECT FROM archival_record r WHERE r.kind = 'repository' AND r.id = $1)
