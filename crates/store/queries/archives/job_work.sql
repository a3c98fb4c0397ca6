-- What a job is to do. $1 job. No row if it is gone.
SELECT r.doc, r.repository FROM archival_record r WHERE r.kind = 'job' AND r.id = $1
