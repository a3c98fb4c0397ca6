-- When a record was deleted. $1 its address.
SELECT d.deleted FROM archival_deletion d WHERE d.uri = $1::text ORDER BY d.seq DESC LIMIT 1
