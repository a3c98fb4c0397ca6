-- How many accessions a repository has. $1 repository.
SELECT count(*) FROM archival_record r WHERE r.kind = 'accession' AND r.repository = $1
