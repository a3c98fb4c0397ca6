-- The version of the tenant's configuration (rules, policies, locations, service points, calendars, ...).
-- Every change of a configuration table raises it; statements of the desk return it, so a stale snapshot
-- in memory is noticed by the next check-out on any node.
CREATE TABLE configuration_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version  bigint  NOT NULL
);
INSERT INTO configuration_version (version) VALUES (1);

CREATE FUNCTION raise_configuration_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE configuration_version SET version = version + 1;
  RETURN NULL;
END $$;
