-- What the server is and whether it can be written to.
SELECT current_setting('server_version_num')::int, current_setting('server_version'),
  current_setting('server_encoding'), pg_is_in_recovery(),
  current_setting('transaction_read_only')::bool
