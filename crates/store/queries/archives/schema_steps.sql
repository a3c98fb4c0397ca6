-- When this library's tables were brought to which version.
SELECT s.version AS id, s.name, archival_time(s.applied) AS applied FROM schema_history s WHERE s.version > 0 ORDER BY s.version
