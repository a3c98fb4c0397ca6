-- A setting of a repository for a type of records. $1 repository, $2 setting, $3 type.
SELECT s.doc, s.lock_version FROM archival_setting s
WHERE s.repository = $1::bigint AND s.setting = $2::text AND s.record_type = $3::text
