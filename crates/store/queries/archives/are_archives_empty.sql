-- Whether the archives have no repository, except the hidden one.
SELECT NOT EXISTS (SELECT FROM archival_record r WHERE r.kind = 'repository' AND r.id > 1)
