-- The stamp of the tenant's near-static records (service points, patron groups, staff slips, ...). Each change of one
-- of them, by whichever process, gives it a new value, and answers kept in memory are valid for one stamp (decision
-- 37). It is random and not counted: so a stamp never comes back, neither with a backup nor with a new primary that
-- lost the last transactions.
CREATE TABLE snapshot_stamp (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  stamp    uuid    NOT NULL
);
INSERT INTO snapshot_stamp (stamp) VALUES (gen_random_uuid());

-- The notice tells the process on whose connection the change is made.
CREATE FUNCTION renew_snapshot_stamp() RETURNS trigger LANGUAGE plpgsql SET client_min_messages = notice AS $$
BEGIN
  EXECUTE format('UPDATE %I.snapshot_stamp SET stamp = gen_random_uuid()', TG_TABLE_SCHEMA);
  RAISE NOTICE 'near-static records have changed';
  RETURN NULL;
END $$;

-- The configuration is a part of the near-static records. Its version is locked after the stamp, so that transactions
-- that change both kinds in any order do not wait for each other in a circle.
CREATE OR REPLACE FUNCTION raise_configuration_version() RETURNS trigger LANGUAGE plpgsql
SET client_min_messages = notice AS $$
BEGIN
  EXECUTE format('UPDATE %I.snapshot_stamp SET stamp = gen_random_uuid()', TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %I.configuration_version SET version = version + 1', TG_TABLE_SCHEMA);
  RAISE NOTICE 'near-static records have changed';
  RETURN NULL;
END $$;
