-- What earlier migrations of the same transaction wrote is checked now: PostgreSQL indexes no table that waits for checks.
SET CONSTRAINTS ALL IMMEDIATE;

-- Harvesters ask what became of a record.
CREATE INDEX archival_deletion_uri ON archival_deletion (uri);

-- How records are offered to harvesters is a setting of the global repository, for no type of records.
ALTER TABLE archival_setting DROP CONSTRAINT archival_setting_setting_check;
ALTER TABLE archival_setting
  ADD CHECK (setting IN ('default_values', 'required_fields') OR setting = 'oai_config' AND repository = 1);
