-- References to records that do not exist, or are of another repository, as a list of addresses; null without any.
-- $1 references: [{kind, id, uri}], $2 repository.
SELECT archival_missing($1::jsonb, $2::bigint)
