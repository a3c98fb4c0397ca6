-- What follows from the source files of authorities (tables/authorities.sql): each code is one file's alone, and a library's
-- own files give numbers.
CREATE TABLE authority_source_file_code (
  code        text CONSTRAINT authority_source_file_code_pkey PRIMARY KEY,
  source_file uuid NOT NULL
);

CREATE TABLE authority_number (
  source_file uuid PRIMARY KEY,
  next        bigint NOT NULL
);

-- What has changed in the authorities, for indexes that processes keep of them (decision 61): as `catalogue_change`.
CREATE TABLE authority_change (
  made      xid8 NOT NULL,
  seq       bigint GENERATED ALWAYS AS IDENTITY,
  -- NULL: all of them.
  authority uuid,
  at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (made, seq)
);
