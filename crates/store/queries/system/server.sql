-- The server's version, and whether it is writable.
SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
  current_setting('transaction_read_only')::bool AS is_read_only
